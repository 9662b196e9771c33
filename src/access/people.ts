import type { Context } from "../context";
import { sortNaturally } from "../lib/natural-order";
import { type Meta, pageOf } from "../lib/paging";
import { fold } from "../lib/slug-text";
import { isoTime } from "../lib/time";
import { selectMember, selectMembers } from "./member-repository";
import { type Member, toMember } from "./members";
import { selectInvitations } from "./session-repository";

export const PEOPLE_PER_PAGE = 50;

/** A member, and until when they can use an invitation. */
export interface InvitedMember extends Member {
  invited_until: string | null;
}

interface PeoplePage {
  items: InvitedMember[];
  meta: Meta;
  /** The number of people without the search. */
  all: number;
}

/**
 * A page of the members of the workspace by e-mail address, or of those with `q` in it, with the invitations of this
 * workspace. A page after the last one is the last one.
 */
export async function listPeople(
  ctx: Context,
  { q, page }: { q: string; page: number },
): Promise<PeoplePage> {
  const { rowId, id } = ctx.workspace;
  const [rows, invitations] = await ctx.db.read(selectMembers(rowId), selectInvitations(id, ctx.now()));
  const until = new Map(invitations.map(({ email, expires_at: at }) => [email, isoTime(at)]));
  const found = rows.filter(({ email }) => email.includes(fold(q)));
  const sorted = sortNaturally(found.map((row) => ({ name: row.email, row })));
  const { items, meta } = pageOf(sorted, page, PEOPLE_PER_PAGE);
  return {
    items: items.map(({ row }) => ({ ...toMember(row), invited_until: until.get(row.email) ?? null })),
    meta,
    all: rows.length,
  };
}

export async function hasMember(ctx: Context, email: string): Promise<boolean> {
  const [found] = await ctx.db.read(selectMember(ctx.workspace.rowId, email));
  return found.length > 0;
}
