import type { ServiceContext } from "../context";
import type { Statement } from "../db/client";
import { foldedBefore } from "../lib/folded-months";
import { newId } from "../lib/ids";
import { foldedDays, foldedHours, selectNextFolded } from "./folded-repository";
import { abortUnlessFoldedAfter } from "./keep-repository";
import { addWorkspaceDays, addWorkspaceHours } from "./repository";

/** A portion has this many links at most, and rows of folded days, more only if they are of one link. */
const LIMIT = { links: 2_000, rows: 20_000 };

type Context = Pick<ServiceContext, "db" | "now">;

/**
 * The statements that add folded months of the next links to their workspaces, for one batch with the position, and the last
 * of these links; null if no more follow. Repeated, the batch fails with `isFoldedAlready`.
 */
export async function findFoldedMonths(
  ctx: Context,
  after: number,
): Promise<{ next: number | null; statements: Statement[] }> {
  const at = ctx.now();
  const before = foldedBefore(at);
  const [[found]] = await ctx.db.read(selectNextFolded(after, before, LIMIT));
  if (found === undefined || found.last_link === null) return { next: null, statements: [] };
  const { first, last, rows, last_link: lastLink, links } = found;
  const isCut = last !== null && rows === LIMIT.rows;
  // The last link may have more rows than were looked at.
  const to = !isCut ? lastLink : first === last ? last : last - 1;
  const isEnd = !isCut && links < LIMIT.links;
  const portion = { after, to, before };
  return {
    next: isEnd ? null : to,
    statements: [
      abortUnlessFoldedAfter(newId(at), at, after),
      addWorkspaceHours(foldedHours(portion)),
      addWorkspaceDays(foldedDays(portion)),
    ],
  };
}
