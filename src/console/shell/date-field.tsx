import { useContext } from "hono/jsx";
import { asDay, isDay } from "../../lib/days";
import { fromLocalMoment, toFormMoment } from "../../lib/local-time";
import { FormContext } from "./labelled";
import type { Form } from "./page-request";
import { Field } from "./post-form";
import { currentZone, Time } from "./text";
import { zoneText } from "./zone-text";

// A start or end is a day of the workspace's time zone, or a time. A time at which a day begins or ends is shown as the day.

export type DateName = "starts_at" | "ends_at";

const timeOfDay = (name: string): string => `${name}_time`;

/** A day, and a time of day that may be left empty, by the clocks of the workspace. In values both are one text: 2026-05-01T18:30. */
export const DateField = ({
  name,
  label,
  labelOfTime = `${label} at`,
  hint = "",
}: {
  name: string;
  label: string;
  labelOfTime?: string;
  hint?: string;
}) => {
  const { values } = useContext(FormContext);
  const [day, time = ""] = String(values[name] ?? "").split("T");
  return (
    <div class="fields halves">
      <Field
        name={name}
        label={label}
        type="date"
        value={day}
        hint={`${zoneText(currentZone())}. ${hint}`.trim()}
      />
      <Field
        name={timeOfDay(name)}
        label={labelOfTime}
        isOptional
        type="time"
        value={values[timeOfDay(name)] ?? time}
        error={null}
      />
    </div>
  );
};

/** The fields of a form in which each of these dates is one text. */
export const joinDates = (fields: Form["fields"], ...names: readonly string[]): Record<string, string> => {
  const joined: Record<string, string> = { ...fields };
  for (const name of names) {
    const [day, time] = [joined[name], joined[timeOfDay(name)]];
    if (day !== undefined && time) joined[name] = `${day}T${time}`;
    delete joined[timeOfDay(name)];
  }
  return joined;
};

/** A day as it is, a time as ISO 8601. A text that is neither is refused later. */
export const readDate = (text: string, zone: string): string =>
  isDay(text) ? text : (fromLocalMoment(text, zone) ?? text);

/** A start or end, as a day or to the minute. A day says whose it is only with `saysZone`. */
export const ShownDate = ({
  name,
  date,
  saysZone = false,
}: {
  name: DateName;
  date: string;
  saysZone?: boolean;
}) => {
  const shown = asDay(name, date, currentZone());
  return (
    <>
      <Time at={shown} exact />
      {saysZone && isDay(shown) && <span class="soft">, {zoneText(currentZone())}</span>}
    </>
  );
};

/** The value of a date field: the day alone, or the minute and second of a time. */
export function toDateField(name: DateName, date: string | null, zone: string): string {
  if (date === null) return "";
  const shown = asDay(name, date, zone);
  return isDay(shown) ? shown : toFormMoment(shown, zone);
}
