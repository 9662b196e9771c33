import type { GroupDates } from "../../lib/group-status";
import { daysBetween } from "../../lib/local-day";

const RELATIVE = new Intl.RelativeTimeFormat("en-GB", { numeric: "auto" });
/** Longer times are given in months or years. */
const MAX_DAYS = 60;
const DAYS_OF_MONTH = 30.44;
const MONTHS_OF_YEAR = 12;
const MAX_MONTHS = 2 * MONTHS_OF_YEAR;

/** "today", "tomorrow", "in 9 days", "3 days ago", "in 4 months", "2 years ago". */
export function relativeDay(days: number): string {
  if (Math.abs(days) <= MAX_DAYS) return RELATIVE.format(days, "day");
  const months = Math.round(days / DAYS_OF_MONTH);
  if (Math.abs(months) < MAX_MONTHS) return RELATIVE.format(months, "month");
  return RELATIVE.format(Math.round(months / MONTHS_OF_YEAR), "year");
}

/** The next or last moment of a group's dates, in days of a time zone: "starts in 9 days". Undefined without dates. */
export function momentText({ startsAt, endsAt }: GroupDates, zone: string, now: number): string | undefined {
  const when = (at: number) => relativeDay(daysBetween(now, at, zone));
  if (endsAt !== null && endsAt <= now) return `ended ${when(endsAt)}`;
  if (startsAt !== null && startsAt > now) return `starts ${when(startsAt)}`;
  if (endsAt !== null) return `ends ${when(endsAt)}`;
  return startsAt === null ? undefined : `started ${when(startsAt)}`;
}
