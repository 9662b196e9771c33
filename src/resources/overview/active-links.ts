import type { Context, ServiceContext } from "../../context";
import { MAX_REMOVED_ROWS } from "../../db/chunk";
import type { Statement } from "../../db/client";
import type { Range } from "../../lib/range";
import { DAY_MS, startOfUtcDay } from "../../lib/time";
import {
  type ActiveLinkRow,
  deleteActiveLinksBefore,
  insertActiveLinks,
  insertActiveLinksOf,
} from "./overview-repository";

// A workspace keeps only how many active links it has now. A daily job stores the number of each day.

/** Twelve months, and some to go back. */
const KEPT_DAYS = 400;

/** Stores today's number of active links of workspaces that lack it, and deletes old rows, in chunks of 5,000. */
export async function recordActiveLinks(ctx: Pick<ServiceContext, "db" | "now">): Promise<void> {
  const today = startOfUtcDay(ctx.now());
  let statements: Statement[] = [
    insertActiveLinks(today, MAX_REMOVED_ROWS),
    deleteActiveLinksBefore(today - KEPT_DAYS * DAY_MS),
  ];
  while (statements.length > 0 && statements.length <= ctx.db.statementsLeft()) {
    const changed = await ctx.db.writeOnce(...statements);
    statements = statements.filter((_, index) => changed[index] === MAX_REMOVED_ROWS);
  }
}

/** Stores the present number of active links for days in the past, each given by a time. For the demo. */
export const recordActiveLinksOn = (ctx: Context, times: readonly number[]): Promise<unknown> =>
  ctx.db.writeGuarded([insertActiveLinksOf(ctx.workspace.rowId, times.map(startOfUtcDay))]);

/**
 * The number of active links at the start of a range, with the UTC day that it is of; null if nobody knows. `stored` is the
 * last row up to its first day.
 */
export function activeLinksAtStart(
  { from, firstDay }: Pick<Range, "from" | "firstDay">,
  createdAt: number,
  stored: ActiveLinkRow | undefined,
) {
  if (createdAt >= from) return { links: 0, day: firstDay };
  return stored === undefined ? null : { links: stored.active_links, day: stored.day / DAY_MS };
}
