import { KEY_EXPIRES_SOON_MS } from "../../access/keys";
import type { Context, WorkspaceContext } from "../../context";
import { comparedUntil, type Range, rangeBefore } from "../../lib/range";
import { DAY_MS } from "../../lib/time";
import { localDayAt } from "../../lib/time-zone";
import {
  selectAssetsAfterEnd,
  selectAssetsOfEnded,
  selectUnscannedAssets,
} from "../engagement/asset-statements";
import { UNSCANNED_DAYS } from "../engagement/list-assets";
import { receiverName } from "../events/receiver-schema";
import { RECENT_DAYS } from "../unknown-addresses/list-unknown";
import { selectAskedOften } from "../unknown-addresses/unknown-statements";
import { activeLinksAtStart } from "./active-links";
import {
  type NamedRow,
  type ReceiverRow,
  selectActiveLinksOn,
  selectExpiringKeys,
  selectGroupsPastEnd,
  selectLinkCounts,
  selectLinksWithBrokenDestination,
  selectSwitchedOffReceivers,
  selectTakenDownLinks,
  selectUnfinishedImports,
} from "./overview-repository";

/** Created links are counted up to this number: as many as a file of an import has. */
export const MAX_COUNTED_LINKS = 10_000;
/** What needs attention is counted up to this number, per kind. */
export const MAX_COUNTED = 100;
const MAX_NAMED = 3;
/** An unknown address needs attention in the week after a day on which more people asked for it. */
export const MANY_VISITS_A_DAY = 100;
/** Scans after the end need attention for so many days, unless the asset is changed. */
export const AFTER_END_DAYS = 30;

/** What needs attention, by its kind. Destinations are looked at if they are asked, keys and receivers if the reader sees them. */
const selectAttention = ({ workspace, config }: Context, now: number, limit: number, seesKeys: boolean) => ({
  taken_down: selectTakenDownLinks(workspace.rowId, limit),
  broken: config.healthCheck ? selectLinksWithBrokenDestination(workspace.rowId, limit) : undefined,
  ended_assets: selectAssetsOfEnded(workspace.rowId, now, limit),
  silent_assets: selectUnscannedAssets(workspace.rowId, now - UNSCANNED_DAYS * DAY_MS, limit),
  after_end: selectAssetsAfterEnd(workspace.rowId, now - AFTER_END_DAYS * DAY_MS, {
    isUnchanged: true,
    limit,
  }),
  unknown: selectAskedOften(workspace.rowId, now, { days: RECENT_DAYS, visits: MANY_VISITS_A_DAY }, limit),
  past_end: selectGroupsPastEnd(workspace.rowId, now, limit),
  imports: selectUnfinishedImports(workspace.rowId, limit),
  keys: seesKeys ? selectExpiringKeys(workspace.rowId, now, now + KEY_EXPIRES_SOON_MS, limit) : undefined,
  receivers: seesKeys ? selectSwitchedOffReceivers(workspace.rowId, limit) : undefined,
});

export type AttentionKind = keyof ReturnType<typeof selectAttention>;

const toAttention = (kind: AttentionKind, rows: readonly (NamedRow | ReceiverRow)[]) => ({
  kind,
  total: Math.min(rows.length, MAX_COUNTED),
  isMore: rows.length > MAX_COUNTED,
  named: rows
    .slice(0, MAX_NAMED)
    .map((row): NamedRow => ("url" in row ? { id: row.id, name: receiverName(row) } : row)),
});

export type Attention = ReturnType<typeof toAttention>;

/** The links of a workspace in numbers, and what needs attention. `seesKeys` includes keys. One call of D1. */
export async function getOverview(
  ctx: WorkspaceContext,
  range: Range,
  { seesKeys, compare = false }: { seesKeys: boolean; compare?: boolean },
) {
  const { rowId: workspaceId, createdAt } = ctx.workspace;
  const now = ctx.now();
  const before = { from: rangeBefore(range).from, to: comparedUntil(range, now) };
  const attention = selectAttention(ctx, now, MAX_COUNTED + 1, seesKeys);
  const kinds = Object.keys(attention) as AttentionKind[];
  // Today is compared with yesterday: its own number was stored when it began.
  const comparedDay = Math.min(range.firstDay, localDayAt(range.zones, now) - 1);
  const [[counts], [stored], ...found] = await ctx.db.read(
    selectLinkCounts(workspaceId, range, before, MAX_COUNTED_LINKS),
    compare ? selectActiveLinksOn(workspaceId, comparedDay * DAY_MS) : undefined,
    ...kinds.map((kind) => attention[kind]),
  );
  return {
    /** Those created are of the range and of the one before, those that are active still, each at most `MAX_COUNTED_LINKS`. */
    links: counts ?? { active: 0, archived: 0, created: 0, created_before: 0 },
    /** The active links at the start of the range; null if it is not compared, or nobody knows. */
    activeBefore: compare ? activeLinksAtStart(range, createdAt, stored) : null,
    attention: kinds
      .map((kind, index) => toAttention(kind, found[index] ?? []))
      .filter(({ total }) => total > 0),
  };
}
