import type { Statement } from "../../db/client";
import { detachSlugs, queuePushes, upsertSlugs } from "../../slugs/pointers";
import { type SlugTargetRow, selectSlugsToPush, selectTombstones } from "../../slugs/repository";
import { type LinkChange, leadsElsewhere, openedSlugs } from "./state";

const isLedElsewhere = ({ was, will }: LinkChange): boolean =>
  was !== undefined && will !== undefined && leadsElsewhere(was, will);

const rowIds = (changes: readonly LinkChange[]): number[] => changes.flatMap(({ was }) => was?.id ?? []);

/** Opens, outdates and releases slugs. Goes behind the links' own rows. */
export function moveSlugs(workspaceId: number, changes: readonly LinkChange[], at: number): Statement[] {
  const outdated = rowIds(changes.filter(isLedElsewhere));
  const released = rowIds(changes.filter(({ will }) => will === undefined));
  const opened = changes.flatMap((change) =>
    openedSlugs(change).map((key) => [key, change.will?.public_id ?? ""]),
  );
  return [
    ...(outdated.length === 0 ? [] : [queuePushes(workspaceId, outdated, at)]),
    ...(released.length === 0 ? [] : [detachSlugs(workspaceId, released, at)]),
    ...(opened.length === 0 ? [] : [upsertSlugs(workspaceId, opened, at)]),
  ];
}

/** What to push to KV behind such a batch. A slug that nobody had claimed is in no KV and needs no push. */
export function slugsBehind(
  workspaceId: number,
  changes: readonly LinkChange[],
  unclaimed: ReadonlySet<string>,
): [opening: Statement<SlugTargetRow[]> | undefined, closed: Statement<SlugTargetRow[]> | undefined] {
  const opening = changes.filter(
    (change) => isLedElsewhere(change) || openedSlugs(change).some((key) => !unclaimed.has(key)),
  );
  const closed = changes.flatMap(({ was, will, otherSlugs = [] }) =>
    was !== undefined && will === undefined ? [was.slug_key, ...otherSlugs] : [],
  );
  return [
    opening.length === 0
      ? undefined
      : selectSlugsToPush(
          workspaceId,
          opening.flatMap(({ will }) => will?.public_id ?? []),
        ),
    closed.length === 0 ? undefined : selectTombstones(workspaceId, closed),
  ];
}
