import type { Statement } from "../../../db/client";
import { DETACHED, markSlugs, rankOf, upsertSlugs } from "../../../redirect/slugs/statements/marks";
import {
  type SlugTargetRow,
  selectSlugsToWrite,
  selectTombstones,
} from "../../../redirect/slugs/statements/targets";
import { hasOtherTarget, isDeletion, type LinkChange, newSlugKeys } from "./link-state";

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
  const [edit, deletion] = [rankOf(changes.length), rankOf(changes.length, true)];
  return [
    ...(outdated.length === 0 ? [] : [markSlugs("links", workspaceId, outdated, { at, rank: edit })]),
    ...(released.length === 0
      ? []
      : [markSlugs("links", workspaceId, released, { at, rank: deletion, set: DETACHED })]),
    ...(opened.length === 0 ? [] : [upsertSlugs(workspaceId, opened, at, edit)]),
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
      : selectSlugsToWrite(
          workspaceId,
          opening.flatMap(({ will }) => will?.public_id ?? []),
        ),
    closed.length === 0 ? undefined : selectTombstones(workspaceId, closed),
  ];
}
