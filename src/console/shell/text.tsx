const DAY = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});
const MINUTE = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  timeZone: "UTC",
});

/** An ISO time in UTC: the day, or with `exact` the minute. */
export const Time = ({ at, exact }: { at: string; exact?: boolean }) => (
  <time datetime={at} title={at}>
    {exact === true ? `${MINUTE.format(new Date(at))} UTC` : DAY.format(new Date(at))}
  </time>
);

export const number = (value: number): string => value.toLocaleString("en-GB");

/** "1 link", "1,200 links". */
export const count = (value: number, one: string, many = `${one}s`): string =>
  `${number(value)} ${value === 1 ? one : many}`;

/** A name in quotation marks. Isolates its writing direction from the text around it. */
export const quoted = (name: string): string => `“\u2068${name}\u2069”`;

/** `always_on` becomes "Always on". */
export const words = (value: string): string => {
  const text = value.replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
};

export const Badge = ({ of }: { of: string }) => <span class={`badge badge-${of}`}>{words(of)}</span>;

/** Shown in place of an empty list. */
export const Empty = ({ children }: { children?: unknown }) => <div class="empty">{children as never}</div>;
