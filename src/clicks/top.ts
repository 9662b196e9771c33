import type { Context } from "../context";
import { groupNotFound } from "../errors";
import type { Range } from "../lib/range";
import { storedId } from "../lib/ulid-text";
import { type Point, toPoints } from "./points";
import { sumOf } from "./report";
import {
  countVisitedLinks,
  selectGroupLinks,
  selectTopGroups,
  selectTopLinks,
  selectVisitsByChannel,
} from "./top-repository";
import { selectIsCut, selectVisited } from "./visit-repository";

const MAX_CHANNELS = 8;

export interface TopLink {
  id: string;
  slug: string;
  title: string | null;
  short_url: string;
  clicks: number;
  scans: number;
}

export interface TopGroup {
  id: string;
  name: string;
  clicks_and_scans: number;
}

/**
 * The links with the most clicks and scans in a range. Each number is that of the link's own page. With very many links, one
 * that was never among the most visited of a day is not found.
 */
export async function listTopLinks(ctx: Context, range: Range, limit: number): Promise<TopLink[]> {
  const [rows] = await ctx.db.read(selectTopLinks(ctx.workspace.rowId, range, ctx.now(), limit));
  return rows.map((row) => ({ ...row, short_url: `${ctx.config.shortBaseUrl}/${row.slug}` }));
}

/** The Activity Groups with the most clicks and scans in a range. Each number is that of the group's own page. */
export async function listTopGroups(ctx: Context, range: Range, limit: number): Promise<TopGroup[]> {
  const [rows] = await ctx.db.read(selectTopGroups(ctx.workspace.rowId, range, ctx.now(), limit));
  return rows;
}

export interface GroupLink extends TopLink {
  channel: string | null;
  /** One for each of `bucketsOf(range)`. */
  points: readonly Point[];
}

export interface GroupLinks {
  links: GroupLink[];
  /** The number of links with clicks or scans in the range. */
  visited: number;
  /** Whether the group has more visited links than the 500 that are counted. */
  isCut: boolean;
}

/** A page of a group's links with visits in a range, the most visited first. One call of D1. Throws 404. */
export async function listGroupLinks(
  ctx: Context,
  group: string,
  range: Range,
  limit: number,
  offset = 0,
): Promise<GroupLinks> {
  const workspaceId = ctx.workspace.rowId;
  const id = storedId(group);
  const [named, rows, [counted], [cut]] = await ctx.db.read(
    selectVisited(workspaceId, { group: id }),
    selectGroupLinks(workspaceId, id, range, range.unit === "hour", { limit, offset }),
    countVisitedLinks(workspaceId, id, range),
    selectIsCut(workspaceId, { group: id }),
  );
  if (named.length === 0) throw groupNotFound();
  const links = Array.from(Map.groupBy(rows, (row) => row.id).values(), (visits): GroupLink[] => {
    const [link] = visits;
    if (link === undefined) return [];
    return [
      {
        id: link.id,
        slug: link.slug,
        title: link.title,
        channel: link.channel,
        short_url: `${ctx.config.shortBaseUrl}/${link.slug}`,
        clicks: sumOf(visits, "clicks"),
        scans: sumOf(visits, "scans"),
        points: toPoints(range, visits),
      },
    ];
  }).flat();
  return { links, visited: counted?.links ?? 0, isCut: cut?.is_cut === 1 };
}

/** The visits of one channel, of links without a channel, or of all further channels together. */
export interface ChannelVisits {
  kind: "channel" | "none" | "other";
  /** Null unless it is one channel. */
  channel: string | null;
  clicks: number;
  scans: number;
  /** One for each of `bucketsOf(range)`. */
  points: readonly Point[];
}

/** The visits of a group's links by their channel over time: the eight largest, and the others together. */
export async function listGroupChannels(ctx: Context, group: string, range: Range): Promise<ChannelVisits[]> {
  const workspaceId = ctx.workspace.rowId;
  const id = storedId(group);
  const [named, rows] = await ctx.db.read(
    selectVisited(workspaceId, { group: id }),
    selectVisitsByChannel(workspaceId, id, range, range.unit === "hour"),
  );
  if (named.length === 0) throw groupNotFound();
  const sumsOf = (visits: typeof rows) => ({
    clicks: sumOf(visits, "clicks"),
    scans: sumOf(visits, "scans"),
    points: toPoints(range, visits),
  });
  const channels = Array.from(
    Map.groupBy(rows, ({ channel }) => channel),
    ([channel, visits]) => ({
      channel,
      visits,
      size: sumOf(visits, "clicks") + sumOf(visits, "scans"),
    }),
  )
    .filter(({ size }) => size > 0)
    .sort((one, other) => other.size - one.size);
  const others = channels.slice(MAX_CHANNELS).flatMap(({ visits }) => visits);
  return [
    ...channels.slice(0, MAX_CHANNELS).map(
      ({ channel, visits }): ChannelVisits => ({
        kind: channel === null ? "none" : "channel",
        channel,
        ...sumsOf(visits),
      }),
    ),
    ...(others.length === 0 ? [] : [{ kind: "other" as const, channel: null, ...sumsOf(others) }]),
  ];
}
