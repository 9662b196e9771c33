import { ensureZone } from "../../access/workspace-statements";
import type { ServiceContext, WorkspaceContext } from "../../context";
import { isLostRace } from "../../db/failure";
import { LostRace, retryLostRaces } from "../../errors";
import { invalid } from "../../field-errors";
import { withTimes } from "../../lib/days";
import type { Failure } from "../../lib/failure";
import { markGroupSettings, markSlugs, RANKS } from "../../redirect/slugs/statements/marks";
import { openWide } from "../../redirect/slugs/statements/wide";
import { groupsInZone } from "../activity-groups/group-days";
import {
  ensureDatedGroups,
  selectDatedGroups,
  selectZone,
  updateGroupDates,
} from "../activity-groups/group-statements";
import { ensureDays, moveDays, queueMovedLinks, selectDays } from "../links/link-day-statements";

type Days = Parameters<typeof ensureDays>[1][number];

export const inZone = (days: Days, zone: string) =>
  withTimes({ starts_at: null, ends_at: null, ...days }, zone);

/** They are moved in one batch, in which D1 takes some three seconds for so many. */
const MAX_DATED_LINKS = 100_000;
/** The slugs of more links are marked in chunks. */
const MAX_MARKED_LINKS = 1_000;

const TOO_MANY_LINKS: Failure = {
  field: "time_zone",
  message: `More than ${MAX_DATED_LINKS.toLocaleString("en-GB")} links start or end on a day, so their times cannot be moved together. Give some of them times, then change the time zone.`,
  code: "limit",
};

/** What another zone does to the groups and links that have days: their times follow in the batch of the change. Throws 422. */
export async function planZoneChange(
  { db, workspace: { rowId } }: WorkspaceContext,
  [from, to]: readonly [from: string, to: string],
  at: number,
) {
  const [groups, days] = await db.read(selectDatedGroups(rowId), selectDays(rowId));
  const movedGroups = groupsInZone(groups, to);
  const movedDays = days.filter((one) => {
    const [was, will] = [inZone(one, from), inZone(one, to)];
    return was.starts_at !== will.starts_at || was.ends_at !== will.ends_at;
  });
  const links = movedDays.reduce((sum, one) => sum + one.links, 0);
  if (links > MAX_DATED_LINKS) throw invalid([TOO_MANY_LINKS]);
  const pairs = movedDays.map((one) => [one.starts_on, one.ends_on] as const);
  return {
    guards: [ensureDatedGroups(rowId, groups), ensureDays(rowId, days)],
    statements: [
      ...updateGroupDates(rowId, movedGroups, at),
      ...(movedGroups.length === 0
        ? []
        : [
            markGroupSettings(
              movedGroups.map(({ id }) => id),
              rowId,
              at,
            ),
          ]),
      ...(links === 0
        ? []
        : [
            links > MAX_MARKED_LINKS
              ? openWide("workspace", rowId, at)
              : markSlugs("dated_links", rowId, pairs, { at, rank: RANKS.bulkEdit }),
            queueMovedLinks(rowId, links, at),
          ]),
      ...moveDays(
        rowId,
        movedDays.map((one) => inZone(one, to)),
        at,
      ),
    ],
    isMoved: movedGroups.length + links > 0,
    /** How many, for the audit trail. */
    moved: {
      ...(movedGroups.length > 0 && { moved_groups: movedGroups.length }),
      ...(links > 0 && { moved_links: links }),
    },
  };
}

/** Gives what came from a backup the times of its days in the zone that the workspace has now. */
export const settleDays = ({ db, now }: Pick<ServiceContext, "db" | "now">, workspaceId: number) =>
  retryLostRaces(async () => {
    const [[own], groups, days] = await db.read(
      selectZone(workspaceId),
      selectDatedGroups(workspaceId),
      selectDays(workspaceId),
    );
    const zone = own?.time_zone ?? "UTC";
    const moved = days.map((one) => inZone(one, zone));
    const writes = [
      ...updateGroupDates(workspaceId, groupsInZone(groups, zone), now()),
      ...moveDays(workspaceId, moved, now()),
    ];
    if (writes.length === 0) return;
    const guards = [ensureZone(workspaceId, zone), ensureDatedGroups(workspaceId, groups)];
    await db.writeGuarded([...guards, ...writes]).catch((error: unknown) => {
      throw isLostRace(error) ? new LostRace() : error;
    });
  });
