import { relativeTime } from "./relative-time";
import { Time } from "./text";

/** An ISO time as seen from now, with the exact time on hover; a date if it is more than 30 days away. */
export const Relative = ({ at, now }: { at: string; now: number }) => {
  const text = relativeTime(Date.parse(at), now);
  return text === null ? (
    <Time at={at} />
  ) : (
    <time datetime={at} title={at}>
      {text}
    </time>
  );
};
