import { addMember, changeRole, listMembers, removeMember } from "../../../access/members";
import { newMember } from "../../../access/schema";
import { createSignInLink, signOutEverywhere } from "../../../access/sessions";
import { signInUrl } from "../../../access/token";
import type { ServiceContext } from "../../../context";
import { ServiceError } from "../../../errors";
import { NO_ADDRESS } from "../platform";
import { type Commands, command, NO_OPTIONS, workspaceCommand } from "./command";

const emailOption = newMember.pick({ email: true });

/** Why a sign-in link would open nothing; undefined if it would. */
function signInProblem({ config }: ServiceContext): string | undefined {
  const { access, missingAccessVariable: missing, baseUrl } = config;
  const hasAddress = baseUrl !== NO_ADDRESS;
  if (missing !== null)
    return `${missing} is empty, so the web application is closed: set it or empty the other ACCESS_ variable, and deploy.`;
  if (access !== null)
    return `Members sign in at ${hasAddress ? baseUrl : ""}/app by Cloudflare Access. A sign-in link opens nothing there.`;
  if (!hasAddress)
    return "BASE_URL is empty, so the link would lead nowhere: set it in wrangler.toml and deploy.";
  return undefined;
}

export const memberCommands: Commands = {
  "member add": workspaceCommand(
    "adds a person to a workspace as owner, editor or viewer",
    newMember,
    async (ctx, input) => ({ member: await addMember(ctx, input) }),
  ),
  "member role": workspaceCommand(
    "changes the role of a member",
    newMember,
    async (ctx, { email, role }) => ({
      member: await changeRole(ctx, email, role),
    }),
  ),
  "member remove": workspaceCommand(
    "removes a member; their next request is refused",
    emailOption,
    async (ctx, { email }) => {
      await removeMember(ctx, email);
      return { removed: email };
    },
  ),
  "member list": workspaceCommand("lists the members of a workspace", NO_OPTIONS, async (ctx) => ({
    members: await listMembers(ctx),
  })),
  "member sign-in": command(
    "prints a sign-in link that works once, for 15 minutes",
    emailOption,
    async (ctx, { email }) => {
      const message = signInProblem(ctx);
      if (message !== undefined) throw new ServiceError(422, { message });
      const { token, expires_at } = await createSignInLink(ctx, email);
      return { sign_in: { email, url: signInUrl(ctx.config.baseUrl, token), expires_at } };
    },
  ),
  "member sign-out": command("ends all sessions of a person", emailOption, async (ctx, { email }) => {
    await signOutEverywhere(ctx, email);
    return { signed_out: email };
  }),
};
