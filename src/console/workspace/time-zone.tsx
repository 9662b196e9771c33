import { timeZones } from "../../lib/time-zone";
import type { Problem } from "../shell/problem";

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

export const TimeZoneField = ({ value, problem }: { value: string; problem: Problem | undefined }) => {
  const errors = problem?.errors["time_zone"] ?? [];
  return (
    <div class="field">
      <label for="time_zone">Time zone</label>
      <p class="hint" id="time_zone-hint">
        For every date shown, and for when the days of clicks and scans begin. It acts at once, on earlier
        days too. Type a place to find it.
      </p>
      <select
        id="time_zone"
        name="time_zone"
        required
        aria-describedby={errors.length > 0 ? "time_zone-hint time_zone-refusal" : "time_zone-hint"}
        aria-invalid={errors.length > 0 ? "true" : undefined}
      >
        {[...zonesByRegion(value)].map(([region, names]) => {
          const options = names.toSorted().map((name) => (
            <option value={name} selected={name === value}>
              {placeIn(name)}
            </option>
          ));
          return region === "" ? options : <optgroup label={region}>{options}</optgroup>;
        })}
      </select>
      {errors.length > 0 && (
        <p class="refused" id="time_zone-refusal">
          {errors.join(" ")}
        </p>
      )}
    </div>
  );
};
