import type { Child } from "hono/jsx";
import { isDay } from "../../lib/days";
import { DAY_MS, HOUR_MS } from "../../lib/time";
import { currentPage, type PageContext } from "./page-request";
import { zoneText } from "./zone-text";

const FORMAT = new Intl.RelativeTimeFormat("en-GB");
/** Beyond this a date says more. */
const MAX_DAYS = 30;

/** A time as seen from now, such as "3 hours ago" or "in 5 days"; null if it is more than 30 days away. */
function relativeTime(at: number, now: number): string | null {
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

const DAY = { day: "numeric", month: "short", year: "numeric" } as const;
const MINUTE = { ...DAY, hour: "2-digit", minute: "2-digit" } as const;

/** The time zone of the workspace that the page shows, else of the first one that the person opens. */
export const currentZone = (): string => {
  const { membership, person }: Partial<Pick<PageContext["var"], "membership" | "person">> =
    currentPage().var;
  const shown = membership ?? person?.memberships.find(({ suspended }) => !suspended);
  return shown?.workspace.timeZone ?? "UTC";
};

/** By zone. Only zones of workspaces are asked for, and they are checked when they are chosen. */
const formats = {
  day: new Map<string, Intl.DateTimeFormat>(),
  minute: new Map<string, Intl.DateTimeFormat>(),
};

function formatIn(timeZone: string, unit: keyof typeof formats): Intl.DateTimeFormat {
  const options = unit === "day" ? DAY : MINUTE;
  const format = formats[unit].get(timeZone) ?? new Intl.DateTimeFormat("en-GB", { ...options, timeZone });
  formats[unit].set(timeZone, format);
  return format;
}

/** A day as text: 31 Dec 2026. */
export const dayText = (day: string): string => formatIn("UTC", "day").format(new Date(day));

/** An ISO time in a time zone: the day, or with `exact` the minute and the zone. A day is one in every zone. */
export function timeText(at: string, exact: boolean, zone: string): string {
  const isMinute = exact && !isDay(at);
  const format = isDay(at) ? formatIn("UTC", "day") : formatIn(zone, isMinute ? "minute" : "day");
  return format.format(new Date(at)) + (isMinute ? ` ${zoneText(zone)}` : "");
}

/** The same as an element, in the time zone of the workspace. */
export const Time = ({
  at,
  exact = false,
  zone = currentZone(),
}: {
  at: string;
  exact?: boolean;
  zone?: string;
}) => (
  <time datetime={at} title={at}>
    {timeText(at, exact, zone)}
  </time>
);

export const number = (value: number): string => value.toLocaleString("en-GB");

/** "1 link", "1,200 links". */
export const count = (value: number, one: string, many = `${one}s`): string =>
  `${number(value)} ${value === 1 ? one : many}`;

/** A name in quotation marks. Isolates its writing direction from the text around it. */
export const quoted = (name: string): string => `“\u2068${name}\u2069”`;

/** A name that may break after its underscores, where browsers see no end of a word. */
export const Breakable = ({ name }: { name: string }) => (
  <>
    {name.split(/(?<=_)/).map((part, index) => (
      <>
        {index > 0 && <wbr />}
        {part}
      </>
    ))}
  </>
);

/** A link with a name that somebody typed. Isolates its writing direction. */
export const NameLink = ({
  to,
  name,
  isCurrent = false,
}: {
  to: string;
  name: string;
  /** Whether it is the chosen one of several. */
  isCurrent?: boolean | undefined;
}) => (
  <a href={to} aria-current={isCurrent ? "true" : undefined}>
    <bdi>
      <Breakable name={name} />
    </bdi>
  </a>
);

/** `always_on` becomes "Always on". */
export const words = (value: string): string => {
  const text = value.replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
};

/** The options of a choice between values, each in words. */
export const inWords = (values: readonly string[]) => values.map((value) => [value, words(value)] as const);

export const Badge = ({ of }: { of: string }) => <span class={`badge badge-${of}`}>{words(of)}</span>;

/** A name and what it stands for, in a `<dl class="facts">`. */
export const Fact = ({ name, children }: { name: Child; children?: Child }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
);

/** The same for a text that somebody typed; nothing without one. */
export const TextFact = ({
  name,
  text,
  class: kind,
}: {
  name: string;
  text: string | null;
  class?: string;
}) =>
  text === null ? null : (
    <>
      <dt class={kind}>{name}</dt>
      <dd class={kind} dir="auto">
        {text}
      </dd>
    </>
  );

/** A part of a page with a heading, which may be for screen readers alone. */
export const Card = ({
  id,
  title,
  isUnseen = false,
  children,
}: {
  id: string;
  title: Child;
  isUnseen?: boolean;
  children?: Child;
}) => (
  <section class="card" aria-labelledby={id}>
    <h2 id={id} class={isUnseen ? "unseen" : undefined}>
      {title}
    </h2>
    {children}
  </section>
);

/** Shown in place of an empty list: what it means, and what to do next. */
export const Empty = ({ text, children }: { text?: Child; children?: Child }) => (
  <div class="empty">
    {text !== undefined && <p>{text}</p>}
    {children}
  </div>
);
