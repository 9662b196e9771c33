import { DAY_MS, HOUR_MS } from "../../lib/time";
import { Time } from "./text";

const FORMAT = new Intl.RelativeTimeFormat("en-GB");
/** Beyond this a date says more. */
const MAX_DAYS = 30;

/** A time as seen from now, such as "3 hours ago" or "in 5 days"; null if it is more than 30 days away. */
export function relativeTime(at: number, now: number): string | null {
  const difference = at - now;
  const distance = Math.abs(difference);
  if (distance < HOUR_MS) return difference > 0 ? "in less than an hour" : "less than an hour ago";
  if (distance < DAY_MS) return FORMAT.format(Math.trunc(difference / HOUR_MS), "hour");
  const days = Math.trunc(difference / DAY_MS);
  return Math.abs(days) <= MAX_DAYS ? FORMAT.format(days, "day") : null;
}

/** An ISO time as seen from now, with the exact time on hover; a date if it is more than 30 days away. */
export const Relative = ({ at }: { at: string }) => {
  const text = relativeTime(Date.parse(at), Date.now());
  return text === null ? (
    <Time at={at} />
  ) : (
    <time datetime={at} title={at}>
      {text}
    </time>
  );
};
