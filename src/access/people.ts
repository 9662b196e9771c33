import type { Context } from "../context";
import { sortNaturally } from "../lib/natural-order";
import { pageOf } from "../lib/paging";
import { fold } from "../lib/slug-text";
import { isoTime } from "../lib/time";
import { selectMember, selectMembers } from "./member-repository";
import { toMember } from "./members";
import { selectInvitations } from "./session-repository";

export const PEOPLE_PER_PAGE = 50;

/**
 * A page of the members of the workspace by e-mail address, or of those with `q` in it, with the invitations of this
 * workspace. A page after the last one is the last one.
 */
export async function listPeople(ctx: Context, { q, page }: { q: string; page: number }) {
  const { rowId, id } = ctx.workspace;
  const [rows, invitations] = await ctx.db.read(selectMembers(rowId), selectInvitations(id, ctx.now()));
  const until = new Map(invitations.map(({ email, expires_at: at }) => [email, isoTime(at)]));
  const wanted = fold(q);
  const found = rows.filter(({ email }) => fold(email).includes(wanted));
  const sorted = sortNaturally(found.map((row) => ({ name: row.email, row })));
  const { items, meta } = pageOf(sorted, page, PEOPLE_PER_PAGE);
  return {
    items: items.map(({ row }) => ({
      ...toMember(row),
      /** Until when they can use an invitation. */
      invited_until: until.get(row.email) ?? null,
    })),
    meta,
    /** The number of people without the search. */
    all: rows.length,
  };
}

export type InvitedMember = Awaited<ReturnType<typeof listPeople>>["items"][number];

export async function hasMember(ctx: Context, email: string): Promise<boolean> {
  const [found] = await ctx.db.read(selectMember(ctx.workspace.rowId, email));
  return found.length > 0;
}
