import type { z } from "zod";
import { auditEntry, type WorkspaceContext } from "../context";
import type { Statement } from "../db/client";
import { LostRace, retryLostRaces, ServiceError } from "../errors";
import { assertNone, invalid } from "../field-errors";
import type { Failure } from "../lib/failure";
import { newId } from "../lib/ids";
import { sortNaturally } from "../lib/natural-order";
import { pageOf } from "../lib/paging";
import { fold } from "../lib/slug-text";
import { isoTime, isoTimeOrNull } from "../lib/time";
import type { newMember } from "./access-schema";
import {
  deleteMember,
  ensureMember,
  ensureMemberHasRole,
  ensureOtherOwner,
  insertMember,
  type MemberRow,
  type Role,
  selectMember,
  selectMembers,
  updateMemberName,
  updateRole,
} from "./member-repository";
import { hostOfPasskeys } from "./passkey-answer";
import { closeToPasskeys, deleteClosedPasskeys, selectMembersWithPasskey } from "./passkey-repository";
import { writeWithinLimit } from "./room";
import { closeToSessions, deleteInvitations, selectInvitations } from "./session-repository";

export const toMember = (row: Omit<MemberRow, "id">) => ({
  id: row.public_id,
  email: row.email,
  name: row.name,
  role: row.role,
  /** When they last opened the workspace, to the hour; null before the first time. */
  last_seen_at: isoTimeOrNull(row.last_seen_at),
  created_at: isoTime(row.created_at),
});

export type Member = ReturnType<typeof toMember>;

const ALREADY_MEMBER: Failure = {
  field: "email",
  message: "The email has already been added to this workspace.",
  code: "taken",
};
const LAST_OWNER: Failure = {
  field: "role",
  message: "A workspace needs an owner: make somebody else an owner first.",
  code: "state",
};

export async function listMembers(ctx: WorkspaceContext): Promise<Member[]> {
  const [rows] = await ctx.db.read(selectMembers(ctx.workspace.rowId));
  return rows.map(toMember);
}

export const PEOPLE_PER_PAGE = 50;

/**
 * A page of the members of the workspace by e-mail address, or of those with `q` in it or in their name, with the invitations of this
 * workspace. A page after the last one is the last one.
 */
export async function listPeople(
  ctx: WorkspaceContext,
  { q, page, withPasskeys }: { q: string; page: number; withPasskeys: boolean },
) {
  const { rowId, id } = ctx.workspace;
  const [rows, invitations, having] = await ctx.db.read(
    selectMembers(rowId),
    selectInvitations(id, ctx.now()),
    withPasskeys ? selectMembersWithPasskey(rowId, id, hostOfPasskeys(ctx.config)) : undefined,
  );
  const withPasskey = new Set(having.map(({ email }) => email));
  const until = new Map(invitations.map(({ email, expires_at: at }) => [email, isoTime(at)]));
  const wanted = fold(q);
  const found = rows.filter(({ email, name }) => fold(`${email} ${name ?? ""}`).includes(wanted));
  const sorted = sortNaturally(found.map((row) => ({ name: row.email, row })));
  const { items, meta } = pageOf(sorted, page, PEOPLE_PER_PAGE);
  return {
    items: items.map(({ row }) => ({
      ...toMember(row),
      invited_until: until.get(row.email) ?? null,
      /** False also if it is not known. */
      hasPasskey: withPasskey.has(row.email),
    })),
    meta,
    all: rows.length,
  };
}

export type InvitedMember = Awaited<ReturnType<typeof listPeople>>["items"][number];

export async function hasMember(ctx: WorkspaceContext, email: string): Promise<boolean> {
  const [found] = await ctx.db.read(selectMember(ctx.workspace.rowId, email));
  return found.length > 0;
}

/** Adds a member, with what `statements` write; 422 if the workspace already has the e-mail address. */
export async function addMember(
  ctx: WorkspaceContext,
  input: z.output<typeof newMember>,
  statements: readonly Statement[] = [],
): Promise<Member> {
  const at = ctx.now();
  const row = {
    public_id: newId(at),
    workspace_id: ctx.workspace.rowId,
    email: input.email,
    name: input.name ?? null,
    role: input.role,
    created_at: at,
    last_seen_at: null,
    report_token: null,
    report_due_at: null,
  };
  const change = { ...auditEntry(ctx, "member.add", row.public_id, at), change: input };
  try {
    await writeWithinLimit(ctx, ["member", 1], change, [insertMember(row), ...statements]);
  } catch (error) {
    if (error instanceof LostRace) throw invalid([ALREADY_MEMBER]);
    throw error;
  }
  return toMember(row);
}

export const memberNotFound = () => new ServiceError(404, { message: "Member not found." });

async function getMember(
  ctx: WorkspaceContext,
  email: string,
): Promise<{ member: Member; others: Member[] }> {
  const all = await listMembers(ctx);
  const member = all.find((one) => one.email === email);
  if (member === undefined) throw memberNotFound();
  return { member, others: all.filter((one) => one !== member) };
}

/** Changes a member's role; 422 for the last owner. */
export const changeRole = (ctx: WorkspaceContext, email: string, role: Role): Promise<Member> =>
  retryLostRaces(async () => {
    const { member, others } = await getMember(ctx, email);
    if (member.role === role) return member;
    const guards = ownersLeft(ctx, member, others);
    await ctx.db.write(
      {
        ...auditEntry(ctx, "member.change_role", member.id, ctx.now()),
        change: { email, role, was: member.role },
        guards,
      },
      [updateRole(ctx.workspace.rowId, email, role)],
    );
    return { ...member, role };
  });

/** Sets what the workspace calls a member; null for nothing. Throws 404. */
export const renameMember = (ctx: WorkspaceContext, email: string, name: string | null): Promise<Member> =>
  retryLostRaces(async () => {
    const { member } = await getMember(ctx, email);
    if (member.name === name) return member;
    await ctx.db.write(
      {
        ...auditEntry(ctx, "member.rename", member.id, ctx.now()),
        before: JSON.stringify({ email, name: member.name }),
        change: { email, name },
        guards: [ensureMember(ctx.workspace.rowId, email, member.name)],
      },
      [updateMemberName(ctx.workspace.rowId, email, name)],
    );
    return { ...member, name };
  });

/**
 * Removes a member with effect from their next request; 422 for the last owner. Sessions and passkeys from before the removal do
 * not open the workspace again, even if the person is added again. A passkey that opens nothing else is deleted.
 */
export const removeMember = (ctx: WorkspaceContext, email: string): Promise<void> =>
  retryLostRaces(async () => {
    const { member, others } = await getMember(ctx, email);
    const guards = ownersLeft(ctx, member, others);
    const at = ctx.now();
    await ctx.db.write(
      {
        ...auditEntry(ctx, "member.remove", member.id, at),
        space: "frees",
        change: { email, role: member.role },
        guards,
      },
      [
        deleteMember(ctx.workspace.rowId, email),
        deleteInvitations(ctx.workspace.id, email),
        closeToSessions(ctx.workspace.id, email),
        closeToPasskeys(ctx.workspace.id, email),
        deleteClosedPasskeys(email),
      ],
    );
  });

function ownersLeft(ctx: WorkspaceContext, member: Member, others: readonly Member[]) {
  const isLast = member.role === "owner" && others.every(({ role }) => role !== "owner");
  assertNone([isLast ? LAST_OWNER : undefined]);
  const stays = ensureMemberHasRole(ctx.workspace.rowId, member.email, member.role);
  return member.role === "owner" ? [stays, ensureOtherOwner(ctx.workspace.rowId, member.email)] : [stays];
}
