import { z } from "zod";
import { newApiKey, newMember, rotatedApiKey } from "../../access/access-schema";
import {
  createApiKey,
  listKeysWithMakers,
  revokeApiKeyAnywhere,
  revokeApiKeyByText,
  rotateApiKey,
} from "../../access/keys";
import { addMember, changeRole, listMembers, removeMember } from "../../access/members";
import { createSignInLink, signOutEverywhere } from "../../access/sessions";
import { signInUrl } from "../../access/token";
import type { ServiceContext } from "../../context";
import { ServiceError } from "../../errors";
import { invalid } from "../../field-errors";
import { text } from "../../lib/validation";
import { changedWorkspace, newWorkspace } from "../../resources/workspaces/workspace-schema";
import {
  createWorkspace,
  getWorkspace,
  listWorkspaces,
  resumeWorkspace,
  suspendWorkspace,
  updateWorkspace,
} from "../../resources/workspaces/workspace-service";
import { NO_ADDRESS } from "../platform";
import { type Commands, command, idOption, NO_OPTIONS, oneOf, workspaceCommand } from "./admin-command";

const slugOption = z.object({ slug: text(120) });

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

/** Throws 422 if a new key would open nothing. */
function assertNotExpired({ now }: ServiceContext, expiresAt: number | null | undefined): void {
  if (expiresAt == null || expiresAt > now()) return;
  const message = "The expires at field must be in the future.";
  throw invalid([{ field: "expires_at", message, code: "range" }]);
}

/** The commands for workspaces and who may use them. */
export const accessCommands: Commands = {
  "workspace create": command(
    "creates a workspace, in UTC if no time zone is given",
    newWorkspace,
    async (ctx, input) => ({ workspace: await createWorkspace(ctx, input) }),
  ),
  "workspace update": command(
    "changes a workspace: its name, its link limit (empty: none), its time zone, such as Europe/Zurich, and what pages show",
    slugOption.extend({ ...changedWorkspace.shape, link_limit: newWorkspace.shape.link_limit }),
    async (ctx, { slug, ...change }) => {
      const workspace = await getWorkspace(ctx, slug);
      return { workspace: await updateWorkspace({ ...ctx, workspace }, change) };
    },
  ),
  "workspace list": command("lists all workspaces", NO_OPTIONS, async (ctx) => ({
    workspaces: await listWorkspaces(ctx),
  })),
  "workspace suspend": command("stops a workspace's API and links", slugOption, async (ctx, { slug }) => ({
    workspace: await suspendWorkspace(ctx, slug),
  })),
  "workspace resume": command("ends the suspension of a workspace", slugOption, async (ctx, { slug }) => ({
    workspace: await resumeWorkspace(ctx, slug),
  })),
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
  "member sign-out": command(
    "ends all sessions of a person and removes their passkeys",
    emailOption,
    async (ctx, { email }) => {
      await signOutEverywhere(ctx, email);
      return { signed_out: email };
    },
  ),
  "key create": workspaceCommand("creates an API key and shows it once", newApiKey, (ctx, input) => {
    assertNotExpired(ctx, input.expires_at);
    return createApiKey(ctx, input);
  }),
  "key list": workspaceCommand("lists a workspace's keys, and who made each", NO_OPTIONS, async (ctx) => ({
    keys: await listKeysWithMakers(ctx),
  })),
  "key rotate": workspaceCommand(
    "creates a key that replaces another; the old one ends after the overlap",
    idOption.extend(rotatedApiKey.shape),
    (ctx, { id, ...input }) => {
      assertNotExpired(ctx, input.expires_at);
      return rotateApiKey(ctx, id, input);
    },
  ),
  "key revoke": command(
    "revokes a key by its id or its text; its next request is refused",
    z.object({ id: text(26).optional(), key: text(120).optional() }),
    async (ctx, given) => {
      const [by, named] = oneOf(given, ["id", "key"]);
      return by === "id" ? revokeApiKeyAnywhere(ctx, named) : revokeApiKeyByText(ctx, named);
    },
  ),
};
