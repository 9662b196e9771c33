import { isDay } from "../../lib/days";
import type { GroupDates } from "../../lib/group-status";
import { daysBetween } from "../../lib/local-time";
import { dayIn, firstDaySince, toDate } from "../../lib/range";
import { supplyScheme } from "../../lib/supplied-scheme";
import { localDayAt, type Zones } from "../../lib/time-zone";
import type { GroupOverview } from "../../resources/activity-groups/group-service";
import { type DateName, readDate, ShownDate, toDateField } from "../shell/date-field";
import { currentPage, type Form } from "../shell/page-request";
import { Badge, currentZone } from "../shell/text";

const RELATIVE = new Intl.RelativeTimeFormat("en-GB", { numeric: "auto" });
/** Longer times are given in months or years. */
const MAX_DAYS = 60;
const DAYS_OF_MONTH = 30.44;
const MONTHS_OF_YEAR = 12;
const MAX_MONTHS = 2 * MONTHS_OF_YEAR;

/** "today", "tomorrow", "in 9 days", "3 days ago", "in 4 months", "2 years ago". */
function relativeDay(days: number): string {
  if (Math.abs(days) <= MAX_DAYS) return RELATIVE.format(days, "day");
  const months = Math.round(days / DAYS_OF_MONTH);
  if (Math.abs(months) < MAX_MONTHS) return RELATIVE.format(months, "month");
  return RELATIVE.format(Math.round(months / MONTHS_OF_YEAR), "year");
}

/** The next or last moment of a group's dates, in days of a time zone: "starts in 9 days". Undefined without dates. */
function momentText({ startsAt, endsAt }: GroupDates, zone: string, now: number): string | undefined {
  const when = (at: number) => relativeDay(daysBetween(now, at, zone));
  if (endsAt !== null && endsAt <= now) return `ended ${when(endsAt)}`;
  if (startsAt !== null && startsAt > now) return `starts ${when(startsAt)}`;
  if (endsAt !== null) return `ends ${when(endsAt)}`;
  return startsAt === null ? undefined : `started ${when(startsAt)}`;
}

type Dated = Pick<GroupOverview, "starts_at" | "ends_at" | "starts_on" | "ends_on">;

export const Dates = ({ group }: { group: Dated }) => {
  const start = group.starts_on ?? group.starts_at;
  const end = group.ends_on ?? group.ends_at;
  if (start === null && end === null) return <span class="soft">Not set</span>;
  return (
    <>
      {start === null ? "Until " : <ShownDate name="starts_at" date={start} />}
      {start !== null && (end === null ? " onwards" : " to ")}
      {end !== null && <ShownDate name="ends_at" date={end} />}
    </>
  );
};

const parseOrNull = (time: string | null): number | null => (time === null ? null : Date.parse(time));

/** The status, and in words when an open group starts or ends; of a completed one only that it has ended. */
export const StatusWithDates = ({ group }: { group: Dated & Pick<GroupOverview, "status"> }) => {
  const { status, starts_at, ends_at } = group;
  const dates = { startsAt: parseOrNull(starts_at), endsAt: parseOrNull(ends_at) };
  const text = momentText(dates, currentZone(), currentPage().var.ctx.now());
  const isSaid = status === "completed" ? text?.startsWith("ended") : status !== "archived";
  return (
    <>
      <Badge of={status} />
      {text !== undefined && isSaid === true && <span class="small nowrap"> {text}</span>}
    </>
  );
};

export const toDateFields = ({ starts_at, ends_at, starts_on, ends_on }: Dated, zone: string) => ({
  starts_at: toDateField("starts_at", starts_on ?? starts_at, zone),
  ends_at: toDateField("ends_at", ends_on ?? ends_at, zone),
});

const fromField = (at: DateName, on: string, text: string | undefined, zone: string) => {
  if (text === undefined) return {};
  return isDay(text) ? { [at]: undefined, [on]: text } : { [at]: readDate(text, zone) };
};

/** The date fields of a form as days or times, and the scheme of the address after the end. */
export const withDates = (fields: Form["fields"], zone: string): Record<string, string | undefined> => ({
  ...fields,
  ...fromField("starts_at", "starts_on", fields["starts_at"], zone),
  ...fromField("ends_at", "ends_on", fields["ends_at"], zone),
  ...(fields["ended_url"] !== undefined && { ended_url: supplyScheme(fields["ended_url"]) }),
});

interface EndOfLinks {
  ends_links?: boolean;
  ends_at: string | null;
}

/** Whether links are to end with the group and have not. */
export const linksGoOn = ({ ends_links, ends_at }: EndOfLinks, now: number): boolean =>
  ends_links === true && (ends_at === null || Date.parse(ends_at) > now);

/** Whether links have ended with the group. */
export const linksHaveEnded = ({ ends_links, ends_at }: EndOfLinks, now: number): boolean =>
  ends_links === true && ends_at !== null && Date.parse(ends_at) <= now;

/** The days from the start of a group, or its creation, to its end or today; undefined before its start. */
export function campaignDays(
  { starts_at, ends_at, starts_on, ends_on, created_at }: GroupOverview,
  zones: Zones,
  now: number,
): { from: string; to: string } | undefined {
  const today = localDayAt(zones, now);
  const dayOf = (day: string | null, time: string) =>
    day === null ? localDayAt(zones, Date.parse(time)) : dayIn(day);
  const first = Math.max(dayOf(starts_on, starts_at ?? created_at), firstDaySince(0, zones, now));
  const last = ends_at === null ? today : Math.min(dayOf(ends_on, ends_at), today);
  return first > last ? undefined : { from: toDate(first), to: toDate(last) };
}
