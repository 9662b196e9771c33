import type { Statement } from "../../../db/client";
import { detachSlugs, queuePushes, upsertSlugs } from "../../../redirect/slugs/statements/pointers";
import {
  type SlugTargetRow,
  selectSlugsToPush,
  selectTombstones,
} from "../../../redirect/slugs/statements/targets";
import { hasOtherTarget, isDeletion, type LinkChange, newSlugKeys } from "./state";

const isRetargeted = ({ was, will }: LinkChange): boolean =>
  was !== undefined && will !== undefined && hasOtherTarget(was, will);

const rowIds = (changes: readonly LinkChange[]): number[] => changes.flatMap(({ was }) => was?.id ?? []);

/** Opens, invalidates and releases slugs. Runs after the statements of the links' own rows. */
export function slugStatements(workspaceId: number, changes: readonly LinkChange[], at: number): Statement[] {
  const outdated = rowIds(changes.filter(isRetargeted));
  const released = rowIds(changes.filter(isDeletion));
  const opened = changes.flatMap((change) =>
    newSlugKeys(change).map((key) => [key, change.will?.public_id ?? ""]),
  );
  return [
    ...(outdated.length === 0 ? [] : [queuePushes(workspaceId, outdated, at)]),
    ...(released.length === 0 ? [] : [detachSlugs(workspaceId, released, at)]),
    ...(opened.length === 0 ? [] : [upsertSlugs(workspaceId, opened, at)]),
  ];
}

/**
 * Selects the slugs to push to KV after the batch. KV has no value for a slug that was unclaimed, so it needs no push.
 */
export function selectPushedSlugs(
  workspaceId: number,
  changes: readonly LinkChange[],
  unclaimed: ReadonlySet<string>,
): [opening: Statement<SlugTargetRow[]> | undefined, closed: Statement<SlugTargetRow[]> | undefined] {
  const opening = changes.filter(
    (change) => isRetargeted(change) || newSlugKeys(change).some((key) => !unclaimed.has(key)),
  );
  const closed = changes
    .filter(isDeletion)
    .flatMap(({ was, otherSlugs = [] }) => [was.slug_key, ...otherSlugs]);
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
