import type { Context } from "../../context";
import { firstIdAt } from "../../lib/ids";
import { KEY_EXPIRES_SOON_MS } from "../../lib/key-expiry";
import { comparedUntil, type Range, rangeBefore } from "../../lib/range";
import { DAY_MS } from "../../lib/time";
import { UNSCANNED_DAYS } from "../engagement/list";
import { selectAssetsAfterEnd, selectAssetsOfEnded, selectUnscannedAssets } from "../engagement/statements";
import { activeLinksAtStart } from "./active-links";
import {
  type IdRange,
  type NamedRow,
  selectActiveLinksOn,
  selectExpiringKeys,
  selectGroupsPastEnd,
  selectLinkCounts,
  selectLinksWithBrokenDestination,
  selectTakenDownLinks,
  selectUnfinishedImports,
} from "./repository";

/** Created links are counted up to this number. */
export const MAX_COUNTED_LINKS = 1_000;
/** What needs attention is counted up to this number, per kind. */
export const MAX_COUNTED = 100;
/** How many of a kind are named. */
const MAX_NAMED = 3;
/** Scans after the end need attention for so many days, unless the asset is changed. */
export const AFTER_END_DAYS = 30;

export type AttentionKind =
  | "taken_down"
  | "broken"
  | "ended_assets"
  | "silent_assets"
  | "after_end"
  | "past_end"
  | "imports"
  | "keys";

export interface Attention {
  kind: AttentionKind;
  total: number;
  /** Whether there are more than `total`. */
  isMore: boolean;
  /** The first ones. */
  named: { id: string; name: string }[];
}

const toIds = ({ from, to }: Pick<Range, "from" | "to">): IdRange => ({
  from: firstIdAt(from),
  to: firstIdAt(to),
});

const toAttention = (kind: AttentionKind, rows: readonly NamedRow[]): Attention[] =>
  rows.length === 0
    ? []
    : [
        {
          kind,
          total: Math.min(rows.length, MAX_COUNTED),
          isMore: rows.length > MAX_COUNTED,
          named: rows.slice(0, MAX_NAMED).map(({ id, name }) => ({ id, name })),
        },
      ];

/** The links of a workspace in numbers, and what needs attention. `seesKeys` includes keys. One call of D1. */
export async function getOverview(
  ctx: Context,
  range: Range,
  { seesKeys, compare = false }: { seesKeys: boolean; compare?: boolean },
) {
  const { rowId: workspaceId, createdAt } = ctx.workspace;
  const now = ctx.now();
  const limit = MAX_COUNTED + 1;
  const before = { from: rangeBefore(range).from, to: comparedUntil(range, now) };
  const [[counts], [stored], takenDown, broken, ended, assets, afterEnd, groups, imports, keys] =
    await ctx.db.read(
      selectLinkCounts(workspaceId, toIds(range), toIds(before), MAX_COUNTED_LINKS),
      compare ? selectActiveLinksOn(workspaceId, range.firstDay * DAY_MS) : undefined,
      selectTakenDownLinks(workspaceId, limit),
      ctx.config.healthCheck ? selectLinksWithBrokenDestination(workspaceId, limit) : undefined,
      selectAssetsOfEnded(workspaceId, now, limit),
      selectUnscannedAssets(workspaceId, now - UNSCANNED_DAYS * DAY_MS, limit),
      selectAssetsAfterEnd(workspaceId, now - AFTER_END_DAYS * DAY_MS, { isUnchanged: true, limit }),
      selectGroupsPastEnd(workspaceId, now, limit),
      selectUnfinishedImports(workspaceId, limit),
      seesKeys ? selectExpiringKeys(workspaceId, now, now + KEY_EXPIRES_SOON_MS, limit) : undefined,
    );
  return {
    /** Those created are of the range and of the one before, without deleted ones, each at most `MAX_COUNTED_LINKS`. */
    links: counts ?? { active: 0, archived: 0, created: 0, created_before: 0 },
    /** The active links at the start of the range; null if it is not compared, or nobody knows. */
    activeBefore: compare ? activeLinksAtStart(range, createdAt, stored) : null,
    /** The kinds of which there is something. */
    attention: [
      ...toAttention("taken_down", takenDown),
      ...toAttention("broken", broken),
      ...toAttention("ended_assets", ended),
      ...toAttention("silent_assets", assets),
      ...toAttention("after_end", afterEnd),
      ...toAttention("past_end", groups),
      ...toAttention("imports", imports),
      ...toAttention("keys", keys),
    ],
  };
}
