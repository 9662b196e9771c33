import type { GroupOverview } from "../../activity-groups/overview";
import { DAY_END } from "../../lib/time";
import { fromMomentField, toMomentField } from "../shell/moments";
import { Time } from "../shell/text";

/** A group that starts on a day starts at its first millisecond, and ends at its last. */
const DAY_START = "T00:00:00.000Z";

export const Dates = ({ group }: { group: Pick<GroupOverview, "starts_at" | "ends_at"> }) => {
  const { starts_at: start, ends_at: end } = group;
  if (start === null && end === null) return <span class="soft">Not set</span>;
  return (
    <>
      {start === null ? "Until " : <Time at={start} exact={!start.endsWith(DAY_START)} />}
      {start !== null && (end === null ? " onwards" : " to ")}
      {end !== null && <Time at={end} exact={!end.endsWith(DAY_END)} />}
    </>
  );
};

/** The value of a date field: the day alone, or the minute and second in UTC if the group has a time. */
const toField = (time: string | null, dayTime: string): string =>
  time?.endsWith(dayTime) ? time.slice(0, -dayTime.length) : toMomentField(time);

/** The ISO time of a date field. */
const fromField = (text: string, dayTime: string): string =>
  /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}${dayTime}` : fromMomentField(text);

export const toDateFields = ({ starts_at, ends_at }: Pick<GroupOverview, "starts_at" | "ends_at">) => ({
  starts_at: toField(starts_at, DAY_START),
  ends_at: toField(ends_at, DAY_END),
});

/** Replaces the date fields of a form by ISO times. */
export const withDates = (fields: Readonly<Record<string, string>>): Record<string, string> => ({
  ...fields,
  ...(fields["starts_at"] !== undefined && { starts_at: fromField(fields["starts_at"], DAY_START) }),
  ...(fields["ends_at"] !== undefined && { ends_at: fromField(fields["ends_at"], DAY_END) }),
});
