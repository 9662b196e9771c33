import { ensureDomainsServed, ensureZone } from "../../../access/workspace-statements";
import type { Guard } from "../../../db/client";
import { domainOfKey, SHORT_HOST, type SlugKey } from "../../../lib/slug-text";
import {
  ensureGroupsEndNoLinks,
  ensureNotDone,
  ensureOnNoLiveAsset,
  ensureRoom,
  ensureRoomInLinks,
  ensureSlugsFree,
  ensureTagsUnchanged,
  ensureUnchanged,
} from "./link-guards";
import { hasNewDay, isDeletion, type LinkChange, newSlugKeys } from "./link-state";

// Which guards a batch of changes has, each with the rows that it is about.

type Changes = readonly LinkChange[];

const readLinks = (changes: Changes): [id: number, version: number, takenDownAt: number | null][] =>
  changes.flatMap(({ was }) => (was === undefined ? [] : [[was.id, was.version, was.taken_down_at]]));

/** The rows of tags that are being merged show another tag than their own. */
function tagRows(changes: Changes): [row: number, shownTag: number][] {
  const tags = changes.flatMap(({ was, will }) => [...(was?.tags ?? []), ...(will?.tags ?? [])]);
  return [...new Map(tags.flatMap(({ id, rows = [id] }) => rows.map((row) => [row, id])))];
}

/** The groups that links moved to, of which no link ended with its group when they were read. */
const joinedGroups = (changes: Changes): number[] =>
  changes.flatMap(({ was, will }) =>
    was && will?.group.id != null && will.group.id !== was.group.id && will.group.ends_links === 0
      ? [will.group.id]
      : [],
  );

const openedSlugs = (changes: Changes): { key: SlugKey; link: number | null }[] =>
  changes.flatMap((change) => newSlugKeys(change).map((key) => ({ key, link: change.was?.id ?? null })));

const ifAny = <Item>(items: readonly Item[], ensure: (items: readonly Item[]) => Guard): Guard[] =>
  items.length === 0 ? [] : [ensure(items)];

/** The guards of a batch that claims `claimed` slugs, of which `unclaimed` had no owner, with days read in `zone`. */
export function guardsOf(
  workspaceId: number,
  changes: Changes,
  {
    unclaimed,
    claimed,
    zone = "",
  }: { unclaimed: ReadonlySet<string>; claimed: number; zone: string | undefined },
): Guard[] {
  const created = changes.filter(({ was }) => was === undefined).length;
  const opened = openedSlugs(changes);
  const domains = new Set(
    opened.map(({ key }) => domainOfKey(key)).filter((domain) => domain !== SHORT_HOST),
  );
  return [
    ...ifAny(
      changes.flatMap(({ operation }) => operation ?? []),
      ensureNotDone,
    ),
    ...(changes.some(hasNewDay) ? [ensureZone(workspaceId, zone)] : []),
    ...ifAny(readLinks(changes), (links) => ensureUnchanged(workspaceId, links)),
    ...ifAny(tagRows(changes), (rows) => ensureTagsUnchanged(workspaceId, rows)),
    ...(created + claimed === 0 ? [] : [ensureRoom(workspaceId, created, claimed)]),
    ...ifAny(joinedGroups(changes), (ids) => ensureGroupsEndNoLinks(workspaceId, ids)),
    ...ifAny(
      changes.filter(isDeletion).map(({ was }) => was.id),
      (ids) => ensureOnNoLiveAsset(workspaceId, ids),
    ),
    ...ifAny(
      opened.map(({ key, link }) => [key, link, unclaimed.has(key) ? 1 : 0]),
      (slugs) => ensureSlugsFree(workspaceId, slugs),
    ),
    ...ifAny([...domains], (hosts) => ensureDomainsServed(workspaceId, hosts)),
    ...ifAny(
      opened.flatMap(({ key, link }) => (link === null ? [] : [[key, link]])),
      (slugs) => ensureRoomInLinks(workspaceId, slugs),
    ),
  ];
}
