import type { Context } from "../context";
import { windowStateAt } from "../lib/active-window";
import type { Range } from "../lib/range";
import { shortUrlOf } from "../lib/short-url";
import {
  MAX_LISTED_LINKS,
  selectLinkNames,
  selectLinksInGroup,
  selectLinkTargets,
  selectVisitsBrought,
} from "./names-repository";
import { ownersByIds } from "./owners";
import { sortByVisits } from "./rankings";
import { MAX_VISITED_LINKS } from "./report-limits";
import {
  type CountsRow,
  linksByKey,
  linksOfGroup,
  linksOfTag,
  selectCountsByKey,
  selectIsTooMany,
} from "./report-repository";
import { POINT_FIELDS, type Point, rowsBy, sumCounts, toPoints, visitsOf } from "./time-series";

// A group's figures by link and channel are those of the links that are in it now, each with all its visits of the range.

const MAX_CHANNELS = 8;

/** The visits of each of the largest channels, of links without a channel, and of all further channels together. */
function toChannels(range: Range, rows: readonly (CountsRow & { key: string | null })[]) {
  const channels = Array.from(Map.groupBy(rows, ({ key }) => key))
    .map(([channel, visits]) => ({ channel, visits, counts: sumCounts(visits) }))
    // Those that were visited only after the end count too: else their visits were those of links that left the group.
    .filter(({ counts }) => visitsOf(counts) + counts.after_end > 0)
    .sort((one, other) => visitsOf(other.counts) - visitsOf(one.counts));
  const others = channels.splice(MAX_CHANNELS).flatMap(({ visits }) => visits);
  const largest = channels.map(
    (one) => ({ ...one, kind: one.channel === null ? "none" : "channel" }) as const,
  );
  const further = others.length === 0 ? [] : [{ kind: "other", channel: null, visits: others } as const];
  return [...largest, ...further].map(({ kind, channel, visits }) => {
    const { clicks, scans } = sumCounts(visits);
    /** With a point for each of `bucketsOf(range)`. */
    return { kind, channel, clicks, scans, points: toPoints(range, visits) };
  });
}

type Channels = ReturnType<typeof toChannels>;
export type ChannelVisits = Omit<Channels[number], "kind"> & { kind: Channels[number]["kind"] | "left" };

/**
 * The channels of a group with all its visits: also those by links that are no longer in it. Null if its present links were
 * visited in this time before they joined it, since then the channels have more visits than the group.
 */
export function channelsOfAll(
  channels: readonly ChannelVisits[],
  all: readonly Point[],
): readonly ChannelVisits[] | null {
  const points = all.map((point, index) => {
    const left = { ...point };
    for (const { points: own } of channels)
      for (const name of POINT_FIELDS) left[name] -= own[index]?.[name] ?? 0;
    return left;
  });
  if (points.some((point) => POINT_FIELDS.some((name) => point[name] < 0))) return null;
  const { clicks, scans, after_end } = sumCounts(points.map((point) => ({ ...point, bots: 0 })));
  return clicks + scans + after_end === 0
    ? channels
    : [...channels, { kind: "left", channel: null, clicks, scans, points }];
}

/** The links and channels of a group in a range; null if too many of its links were visited since. One call of D1. */
export async function reportGroupLinks(ctx: Context, group: string, range: Range) {
  const workspaceId = ctx.workspace.rowId;
  const linksBy = (key: "public_id" | "channel") => linksOfGroup(workspaceId, group, range.from, key);
  const [[cut], byLink, byChannel, present, [brought]] = await ctx.db.read(
    selectIsTooMany(workspaceId, group, range.from),
    selectCountsByKey<string>("link", linksBy("public_id"), range, "range"),
    selectCountsByKey<string | null>("link", linksBy("channel"), range, rowsBy(range)),
    selectLinksInGroup(workspaceId, group),
    selectVisitsBrought(workspaceId, group, MAX_VISITED_LINKS + 1),
  );
  if (cut?.is_too_many === 1) return null;
  const visited = sortByVisits(byLink).map(({ key, clicks, scans }) => ({ id: key, clicks, scans }));
  const isVisited = new Set(visited.map((link) => link.id));
  const hasQuiet = present.length <= MAX_LISTED_LINKS;
  const quiet = present
    .filter(({ link }) => !isVisited.has(link))
    .toSorted((one, other) => one.archived - other.archived || (one.link < other.link ? 1 : -1))
    .map(({ link }) => ({ id: link, clicks: 0, scans: 0 }));
  return {
    /** By visits, then those without visits, the newest first and archived ones last, unless the group has too many. */
    links: hasQuiet ? [...visited, ...quiet] : visited,
    hasQuiet,
    /** Those of them that are archived, unless the group has too many. */
    archived: new Set(present.flatMap(({ link, archived }) => (archived === 1 ? [link] : []))),
    channels: toChannels(range, byChannel),
    /** The clicks and scans that its present links had when they joined; null if there are too many of these. */
    brought: brought === undefined || brought.links > MAX_VISITED_LINKS ? null : brought.visits,
  };
}

/** The visited links that wear a tag now, the most visited first; none if too many were visited since. One call of D1. */
export async function reportTagLinks(ctx: Context, tag: string, range: Range) {
  const owners = linksByKey(linksOfTag(ctx.workspace.rowId, tag, range.from), "public_id");
  const [rows] = await ctx.db.read(selectCountsByKey<string>("link", owners, range, "range"));
  return sortByVisits(rows).map(({ key, clicks, scans }) => ({ id: key, clicks, scans }));
}

/** Names listed links, with their points in a range if there is one. A link that is gone by now is left out. One call of D1. */
export async function nameGroupLinks(
  ctx: Context,
  listed: readonly { id: string; clicks: number; scans: number }[],
  range?: Range,
) {
  const ids = listed.map(({ id }) => id);
  const workspaceId = ctx.workspace.rowId;
  const owners = ownersByIds("link", workspaceId, ids);
  const [names, rows] = await ctx.db.read(
    ids.length === 0 ? undefined : selectLinkNames(workspaceId, ids),
    range && ids.length > 0 ? selectCountsByKey<string>("link", owners, range, rowsBy(range)) : undefined,
  );
  const nameOf = new Map(names.map((name) => [name.id, name]));
  const rowsOf = Map.groupBy(rows, ({ key }) => key);
  const now = ctx.now();
  return listed.flatMap((link) => {
    const name = nameOf.get(link.id);
    if (name === undefined) return [];
    const counted = rowsOf.get(link.id);
    /** One for each of `bucketsOf(range)`; none for a file, and without visits. */
    const points = range === undefined || counted === undefined ? [] : toPoints(range, counted);
    const { domain, archived, taken_down_by, starts_at, ends_at, ...shown } = name;
    const windowState = windowStateAt({ startsAt: starts_at, endsAt: ends_at }, now);
    return [
      {
        ...shown,
        ...link,
        short_url: shortUrlOf(ctx.config, domain, name.slug),
        status: archived === 1 ? ("archived" as const) : ("active" as const),
        takenDownBy: taken_down_by ?? undefined,
        windowState: windowState === "open" ? undefined : windowState,
        hasEnd: ends_at !== null,
        points,
      },
    ];
  });
}

export type GroupLink = Awaited<ReturnType<typeof nameGroupLinks>>[number];

/** Where links lead, by id. One call of D1. */
export async function readLinkTargets(ctx: Context, ids: readonly string[]) {
  const [rows] = await ctx.db.read(
    ids.length === 0 ? undefined : selectLinkTargets(ctx.workspace.rowId, ids),
  );
  return new Map(rows.map(({ id, ...target }) => [id, target]));
}
