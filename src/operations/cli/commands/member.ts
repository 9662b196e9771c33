import { z } from "zod";
import { addMember, changeRole, listMembers, removeMember } from "../../../access/members";
import { email, newMember, ROLES } from "../../../access/schema";
import { createSignInLink, signOutEverywhere } from "../../../access/sessions";
import type { ServiceContext } from "../../../context";
import { ServiceError } from "../../../errors";
import { NO_ADDRESS } from "../platform";
import { type Commands, inWorkspace, parseOptions } from "./options";

const emailOption = z.object({ email: email() });
const roleOption = z.object({ email: email(), role: z.enum(ROLES) });

/** The URL of a sign-in link. */
export const signInUrl = (baseUrl: string, token: string): string => `${baseUrl}/app/sign-in?token=${token}`;

/** Throws 422 if the deployment does not accept sign-in links. */
function assertSignInLinksWork({ config }: ServiceContext): void {
  const { access, missingAccessVariable: missing, baseUrl } = config;
  if (missing !== null) {
    throw new ServiceError(422, {
      message: `${missing} is empty, so the web application is closed: set it or empty the other ACCESS_ variable, and deploy.`,
    });
  }
  if (access !== null) {
    const at = baseUrl === NO_ADDRESS ? "/app" : `${baseUrl}/app`;
    throw new ServiceError(422, {
      message: `Members sign in at ${at} by Cloudflare Access. A sign-in link opens nothing there.`,
    });
  }
}

export const memberCommands: Commands = {
  "member add": {
    required: ["workspace", "email", "role"],
    description: "adds a person to a workspace as owner, editor or viewer",
    run: async (ctx, { workspace = "", ...options }) => ({
      member: await addMember(await inWorkspace(ctx, { workspace }), parseOptions(newMember, options)),
    }),
  },
  "member role": {
    required: ["workspace", "email", "role"],
    description: "changes the role of a member",
    run: async (ctx, { workspace = "", ...options }) => {
      const { email, role } = parseOptions(roleOption, options);
      return { member: await changeRole(await inWorkspace(ctx, { workspace }), email, role) };
    },
  },
  "member remove": {
    required: ["workspace", "email"],
    description: "removes a member; their next request is refused",
    run: async (ctx, { workspace = "", ...options }) => {
      const { email } = parseOptions(emailOption, options);
      await removeMember(await inWorkspace(ctx, { workspace }), email);
      return { removed: email };
    },
  },
  "member list": {
    required: ["workspace"],
    description: "lists the members of a workspace",
    run: async (ctx, options) => ({ members: await listMembers(await inWorkspace(ctx, options)) }),
  },
  "member sign-in": {
    required: ["email"],
    description: "prints a sign-in link that works once, for 15 minutes",
    run: async (ctx, options) => {
      const { email } = parseOptions(emailOption, options);
      assertSignInLinksWork(ctx);
      if (ctx.config.baseUrl === NO_ADDRESS) {
        throw new ServiceError(422, {
          message: "BASE_URL is empty, so the link would lead nowhere: set it in wrangler.toml and deploy.",
        });
      }
      const { token, expires_at } = await createSignInLink(ctx, email);
      return { sign_in: { email, url: signInUrl(ctx.config.baseUrl, token), expires_at } };
    },
  },
  "member sign-out": {
    required: ["email"],
    description: "ends all sessions of a person",
    run: async (ctx, options) => {
      const { email } = parseOptions(emailOption, options);
      await signOutEverywhere(ctx, email);
      return { signed_out: email };
    },
  },
};
