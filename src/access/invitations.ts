import type { z } from "zod";
import { auditEntry, type WorkspaceContext } from "../context";
import { sha256Hex } from "../lib/hash";
import { DAY_MS } from "../lib/time";
import type { newMember } from "./access-schema";
import { sendLimited } from "./mail";
import { selectMembers } from "./member-repository";
import { addMember, type Member, memberNotFound, toMember } from "./members";
import { deleteInvitations, insertSignInLink } from "./session-repository";
import { makeToken, signInUrl } from "./token";

/** A person may be away when it is sent. */
const INVITATION_MS = 7 * DAY_MS;

export interface Invitation {
  member: Member;
  /** The token of a sign-in link; undefined with Cloudflare Access. */
  token: string | undefined;
  /** Whether it was sent by mail; null if nothing was to be sent. */
  isMailed: boolean | null;
}

/**
 * A new invitation. It signs in to this workspace alone, and replaces the person's earlier one. With Cloudflare Access there is
 * none.
 */
async function newInvitation(ctx: WorkspaceContext, email: string, at: number) {
  if (ctx.config.access !== null) return { token: undefined, statements: [] };
  const { id } = ctx.workspace;
  const token = makeToken("sgn", ctx.random);
  const row = { hash: await sha256Hex(token), email, expires_at: at + INVITATION_MS, workspace: id };
  return { token, statements: [deleteInvitations(id, email), insertSignInLink(row)] };
}

/**
 * Sends an invitation. It is stored, so a failure must not lose it: its link is shown as well. Without a token the person
 * comes by Cloudflare Access.
 */
async function mailInvitation(ctx: WorkspaceContext, email: string, token: string | undefined) {
  const { actor, config, workspace } = ctx;
  if (config.mail === null) return null;
  const way =
    token === undefined
      ? `Sign in with this e-mail address:

${config.baseUrl}/app
`
      : `This link signs you in. It works once, within seven days, and opens this workspace alone:

${signInUrl(config.baseUrl, token)}

Whoever has the link signs in as you: do not pass it on.
`;
  const text = `${actor.replace(/^member:/, "")} has invited you to the workspace “${workspace.name}” for short links.\n\n${way}`;
  const mail = { subject: `Invitation to ${workspace.name}`, text };
  return sendLimited(ctx, email, async () => mail).catch(() => false);
}

/** Adds a member with an invitation. 422 if the workspace already has the e-mail address. */
export async function inviteMember(
  ctx: WorkspaceContext,
  input: z.output<typeof newMember>,
): Promise<Invitation> {
  const { token, statements } = await newInvitation(ctx, input.email, ctx.now());
  const member = await addMember(ctx, input, statements);
  return { member, token, isMailed: await mailInvitation(ctx, input.email, token) };
}

/** Replaces the invitation of a member; 404 if the workspace has no such member. */
export async function renewInvitation(ctx: WorkspaceContext, email: string): Promise<Invitation> {
  const [rows] = await ctx.db.read(selectMembers(ctx.workspace.rowId));
  const found = rows.find((row) => row.email === email);
  if (found === undefined) throw memberNotFound();
  const at = ctx.now();
  const { token, statements } = await newInvitation(ctx, email, at);
  const member = toMember(found);
  if (token === undefined) return { member, token, isMailed: null };
  const entry = auditEntry(ctx, "member.invite", member.id, at);
  await ctx.db.write({ ...entry, change: { email }, space: "takes" }, statements);
  return { member, token, isMailed: await mailInvitation(ctx, email, token) };
}
