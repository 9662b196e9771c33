import type { Context } from "../context";
import { notFound } from "../errors";
import { type Range, toDate } from "../lib/range";
import { DAY_MS } from "../lib/time";
import { localDayIn } from "../lib/time-zone";
import { nameGroupLinks } from "./group-report";
import { ownerById, ownersByIds } from "./owners";
import {
  linksOfGroup,
  selectCountsByKey,
  selectIsTooMany,
  selectOriginsByDay,
  selectTotals,
} from "./report-repository";
import { UNKNOWN_LABELS } from "./visit-buffer";

// The files of a group by day, of the range's time zone.

/** Each chunk is one D1 query, of at most 366 days each: 20 queries for 2,000 links. */
const LINKS_PER_CHUNK = 100;
const ORIGINS_CHUNK_MS = 31 * DAY_MS;

/**
 * Every day of a group's present links, link by link, in chunks; null if too many of its links were visited since the range
 * began. Throws 404 before the first chunk.
 */
export async function exportLinkDays(ctx: Context, group: string, range: Range) {
  const workspaceId = ctx.workspace.rowId;
  const links = linksOfGroup(workspaceId, group, range.from, "public_id");
  const [[found], [cut], visited] = await ctx.db.read(
    selectTotals(workspaceId, { group }),
    selectIsTooMany(workspaceId, group, range.from),
    selectCountsByKey<string>("link", links, range, "range"),
  );
  if (found === undefined) throw notFound("Activity Group");
  if (cut?.is_too_many === 1) return null;
  const listed = visited.map(({ key: id, clicks, scans }) => ({ id, clicks, scans }));
  const named = await nameGroupLinks(
    ctx,
    listed.toSorted((one, other) => (one.id < other.id ? -1 : 1)),
  );
  return (async function* read() {
    for (let at = 0; at < named.length; at += LINKS_PER_CHUNK) {
      const chunk = named.slice(at, at + LINKS_PER_CHUNK);
      const ids = chunk.map(({ id }) => id);
      const [rows] = await ctx.db.read(
        selectCountsByKey<string>("link", ownersByIds("link", workspaceId, ids), range, "day"),
      );
      const rowsOf = Map.groupBy(rows, ({ key }) => key);
      yield chunk.flatMap(({ id, slug, short_url, channel }) =>
        (rowsOf.get(id) ?? []).map(({ key: _, at: day, ...counts }) => ({
          ...{ day: toDate(day ?? 0), slug, short_url, channel },
          ...counts,
        })),
      );
    }
  })();
}

/** Where the visitors of a group came from, by day, in chunks of a month. Throws 404 before the first chunk. */
export async function exportOriginDays(ctx: Context, group: string, { from, to, offsets }: Range) {
  const workspaceId = ctx.workspace.rowId;
  const [[found]] = await ctx.db.read(selectTotals(workspaceId, { group }));
  if (found === undefined) throw notFound("Activity Group");
  return (async function* read() {
    for (let begin = from; begin < to; begin += ORIGINS_CHUNK_MS) {
      const chunk = { from: begin, to: Math.min(begin + ORIGINS_CHUNK_MS, to) };
      const [rows] = await ctx.db.read(
        selectOriginsByDay("group", ownerById("group", workspaceId, group), chunk),
      );
      const known = rows.filter(({ dimension }) => dimension in UNKNOWN_LABELS);
      yield known.map(({ day, value, ...row }) => ({
        ...row,
        day: toDate(localDayIn(offsets, day)),
        value: value || UNKNOWN_LABELS[row.dimension],
      }));
    }
  })();
}
