import type { WorkspaceContext } from "../../context";
import { windowStateAt } from "../../lib/active-window";
import { type StoredDates, withTimes } from "../../lib/days";
import { groupsInZone } from "../activity-groups/group-days";
import { type DatedGroup, selectDatedGroups } from "../activity-groups/group-statements";
import { countDatedLinks, type DatedLink, selectDays, selectLinksOnDays } from "../links/link-day-statements";
import { inZone } from "./change-zone";

/** What another time zone does at once to a link or a group that starts or ends on a day. */
const ZONE_EFFECTS = ["opens", "opens_again", "ends", "closes"] as const;
export type ZoneEffect = (typeof ZONE_EFFECTS)[number];

const stateOf = ({ starts_at: startsAt, ends_at: endsAt }: StoredDates, now: number) =>
  windowStateAt({ startsAt, endsAt }, now);

/** Undefined if the state stays. */
export function zoneEffect(was: StoredDates, will: StoredDates, now: number): ZoneEffect | undefined {
  const [before, after] = [stateOf(was, now), stateOf(will, now)];
  if (before === after) return undefined;
  if (after === "open") return before === "early" ? "opens" : "opens_again";
  return after === "early" ? "closes" : "ends";
}

/** The dates of a link in another zone. Days that would begin after the end, which is a time, stay the times that they are. */
export function linkInZone(link: StoredDates, zone: string): StoredDates {
  const will = withTimes(link, zone);
  const isPossible = will.starts_at === null || will.ends_at === null || will.starts_at < will.ends_at;
  return isPossible ? will : link;
}

/** More links that open or end at once are not named. */
export const MAX_NAMED_LINKS = 1_000;
/** More pairs of days are not looked at: they change within a few days, so there are few. */
const MAX_PAIRS = 1_000;

const sumOf = (days: readonly { links: number }[]): number => days.reduce((sum, one) => sum + one.links, 0);

/** What a change of the zone would do: which links and groups open or end at once, and how many others it moves. */
export async function previewZoneChange({ db, now, workspace }: WorkspaceContext, to: string) {
  const { rowId, timeZone: from } = workspace;
  const at = now();
  const [groups, days] = await db.read(selectDatedGroups(rowId), selectDays(rowId));
  const pairs = days.map((one) => ({ one, was: inZone(one, from), will: inZone(one, to) }));
  const moved = pairs.filter(
    ({ was, will }) => was.starts_at !== will.starts_at || was.ends_at !== will.ends_at,
  );
  const changing = moved
    .filter(({ was, will }) => zoneEffect(was, will, at) !== undefined)
    .map(({ one }) => one)
    .slice(0, MAX_PAIRS);
  const [links] = await db.read(
    changing.length === 0 ? undefined : selectLinksOnDays(rowId, changing, MAX_NAMED_LINKS + 1),
  );
  const byId = new Map(groups.map((group) => [group.id, group]));
  const movedGroups = groupsInZone(groups, to);
  const groupEffects = movedGroups.map(
    (will) => [zoneEffect(byId.get(will.id) ?? will, will, at), will] as const,
  );
  const groupEnds = new Map(movedGroups.map((group) => [group.id, group.ends_at]));
  const linkEffects = links.slice(0, MAX_NAMED_LINKS).map((link) => {
    const { group_id: group, group_ends_at: end } = link;
    const was = { ...link, ends_at: link.ends_at ?? end };
    const moved = linkInZone(link, to);
    const will = { ...moved, ends_at: moved.ends_at ?? groupEnds.get(group ?? 0) ?? end };
    return [zoneEffect(was, will, at), link] as const;
  });
  const withEffect = <Item>(
    items: readonly (readonly [ZoneEffect | undefined, Item])[],
    effect: ZoneEffect,
  ) => items.filter(([own]) => own === effect).map(([, item]) => item);
  return {
    /** By effect, those that have some. */
    effects: ZONE_EFFECTS.map((effect) => ({
      effect,
      groups: withEffect<DatedGroup>(groupEffects, effect),
      links: withEffect<DatedLink>(linkEffects, effect),
    })).filter((one) => one.groups.length + one.links.length > 0),
    /** Whether there are more links than are named. */
    isMore: links.length > MAX_NAMED_LINKS,
    /** How many get other times, with those above. */
    moved: { groups: movedGroups.length, links: sumOf(moved.map(({ one }) => one)) },
    /** Those among them that are over in both zones. */
    over: {
      groups: movedGroups.filter(
        (will) => stateOf(will, at) === "ended" && stateOf(byId.get(will.id) ?? will, at) === "ended",
      ).length,
      links: sumOf(
        moved
          .filter(({ was, will }) => stateOf(was, at) === "ended" && stateOf(will, at) === "ended")
          .map(({ one }) => one),
      ),
    },
  };
}

export type ZonePreview = Awaited<ReturnType<typeof previewZoneChange>>;

/** More are not counted where the change is announced. */
export const MAX_COUNTED_LINKS = 1_000;

/** How many groups and links have days. */
export async function countDated({ db, workspace: { rowId } }: WorkspaceContext) {
  const [groups, [counted]] = await db.read(
    selectDatedGroups(rowId),
    countDatedLinks(rowId, MAX_COUNTED_LINKS + 1),
  );
  return { groups: groups.length, links: counted?.links ?? 0 };
}
