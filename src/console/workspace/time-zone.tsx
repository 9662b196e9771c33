import { timeZones } from "../../lib/time-zone";
import { Labelled, type OwnField } from "../shell/form";

/** The time zones by region, such as "Europe". `UTC` is in none. */
function zonesByRegion(current: string): ReadonlyMap<string, readonly string[]> {
  const names = timeZones();
  // A zone that is not listed may be stored.
  if (!names.includes(current)) names.push(current);
  return Map.groupBy(names, (name) => (name.includes("/") ? name.slice(0, name.indexOf("/")) : ""));
}

/** `Argentina/Buenos_Aires` becomes "Argentina, Buenos Aires". */
const placeIn = (name: string): string =>
  name
    .slice(name.indexOf("/") + 1)
    .replaceAll("/", ", ")
    .replaceAll("_", " ");

export const TimeZoneField = ({ own }: { own: OwnField }) => {
  const value = String(own("time_zone").value ?? "UTC");
  return (
    <Labelled
      {...own("time_zone")}
      label="Time zone"
      hint="For every date shown, and for when the days of clicks and scans begin. It acts at once, on earlier days too. Type a place to find it."
      required
    >
      {(attributes) => (
        <select {...attributes}>
          {[...zonesByRegion(value)].map(([region, names]) => {
            const options = names.toSorted().map((name) => (
              <option value={name} selected={name === value}>
                {placeIn(name)}
              </option>
            ));
            return region === "" ? options : <optgroup label={region}>{options}</optgroup>;
          })}
        </select>
      )}
    </Labelled>
  );
};
