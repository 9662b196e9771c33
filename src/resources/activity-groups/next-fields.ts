import { datesAfter } from "../../lib/days";
import { hostOrNull } from "../../lib/destination";
import { type GroupDates, type GroupStatus, statusByDates } from "../../lib/group-status";
import { fold } from "../../lib/slug-text";
import type { ChangedActivityGroup } from "./group-schema";
import type { ActivityGroupRow } from "./group-statements";

export const EMPTY_GROUP = {
  description: "",
  note: null,
  status: "draft",
  status_before_archive: null,
  default_utm_campaign: null,
  starts_at: null,
  ends_at: null,
  starts_on: null,
  ends_on: null,
  ended_url: null,
  ends_links: 0,
  follows_dates: 0,
  archived_at: null,
} as const;

type PreviousFields = Pick<ActivityGroupRow, keyof typeof EMPTY_GROUP | "name" | "slug" | "type">;

const searchText = (group: { name: string; slug: string; description: string }): string =>
  fold(`${group.name}\n${group.slug}\n${group.description}`);

const statusFields = (from: GroupStatus, to: GroupStatus, at: number) => ({
  status: to,
  status_before_archive: to === "archived" && from !== "archived" ? from : null,
  archived_at: to === "archived" ? at : null,
});

/**
 * The status after a change. A group that follows its dates gets the status of the time. A status against the dates that a
 * person chooses wins, and the group no longer follows them.
 */
function nextStatus(
  was: PreviousFields,
  { status, follows_dates: askedToFollow }: ChangedActivityGroup,
  dates: GroupDates,
  at: number,
): { status: GroupStatus; follows: boolean } {
  const next = status ?? was.status;
  const follows = askedToFollow === undefined ? was.follows_dates === 1 : askedToFollow === true;
  if (!follows) return { status: next, follows: false };
  const byDates = statusByDates(next, dates, at);
  const isChosen = status !== undefined && askedToFollow === undefined;
  return isChosen && byDates !== next ? { status: next, follows: false } : { status: byDates, follows: true };
}

const valueOr = <T>(value: T | undefined, previous: T): T => (value === undefined ? previous : value);

/** The fields of a group after a change, with those that follow from them. Those of the status only if it changes. */
export function nextFields(was: PreviousFields, input: ChangedActivityGroup, zone: string, at: number) {
  const name = input.name ?? was.name;
  const slug = input.slug ?? was.slug;
  const description = valueOr(input.description, was.description) ?? "";
  const dates = datesAfter(was, input, zone);
  const endedUrl = valueOr(input.ended_url, was.ended_url);
  const { status, follows } = nextStatus(
    was,
    input,
    { startsAt: dates.starts_at, endsAt: dates.ends_at },
    at,
  );
  return {
    name,
    name_key: fold(name),
    slug,
    type: input.type ?? was.type,
    description,
    note: valueOr(input.note, was.note),
    search_text: searchText({ name, slug, description }),
    default_utm_campaign: valueOr(input.default_utm_campaign, was.default_utm_campaign),
    ...dates,
    ended_url: endedUrl,
    ended_host: hostOrNull(endedUrl),
    ends_links: input.ends_links === undefined ? was.ends_links : Number(input.ends_links === true),
    follows_dates: Number(follows),
    ...(status === was.status ? {} : statusFields(was.status, status, at)),
    updated_at: at,
  };
}
