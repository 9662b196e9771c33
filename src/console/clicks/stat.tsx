import type { Child } from "hono/jsx";
import { number } from "../shell/text";

interface StatProperties {
  value: number;
  label: Child;
  /** What is compared, if today is not: the number until yesterday. */
  now?: number | undefined;
  /** The number before; null if it is not compared. */
  before?: number | null;
  /** What it is compared with: "the 30 days before". */
  than?: string;
  /** The day that it is compared with instead. */
  since?: string;
}

/** A greater change says less than the number before. */
export const MAX_PERCENT = 999;

const shareOf = (value: number, before: number): number =>
  Math.round((Math.abs(value - before) / before) * 100);

const arrow = (kind: "more" | "less"): string => (kind === "more" ? "▲" : "▼");

function describeChange(value: number, before: number, than: string, since: string) {
  if (before === 0) return <span class="delta soft">{value === 0 ? "no change" : "none before"}</span>;
  const share = shareOf(value, before);
  if (share === 0)
    return <span class="delta soft">{since === "" ? "no change" : `no change since ${since}`}</span>;
  const kind = value > before ? "more" : "less";
  return (
    <span class={`delta ${kind}`}>
      <span aria-hidden="true">
        {arrow(kind)} {share > MAX_PERCENT ? `from ${number(before)} to ${number(value)}` : `${share}%`}
        {since !== "" && ` since ${since}`}
      </span>
      <span class="unseen">
        {number(share)}% {kind} than {since === "" ? `in ${than}` : `on ${since}`}, which had {number(before)}
      </span>
    </span>
  );
}

/** Both numbers, since the one that is compared is not shown elsewhere. */
function describeFinishedDays(value: number, before: number) {
  if (value + before === 0) return <span class="delta soft">none before today</span>;
  const share = before === 0 ? 0 : shareOf(value, before);
  const kind = value > before ? "more" : "less";
  return (
    <span class={`delta ${share === 0 ? "soft" : kind}`}>
      {share > 0 && share <= MAX_PERCENT && `${arrow(kind)} ${share}%: `}
      {number(value)} until yesterday, {number(before)} in as many days before
    </span>
  );
}

export const Stat = ({ value, label, now, before = null, than = "", since = "" }: StatProperties) => (
  <p class="stat">
    <strong>{number(value)}</strong> <span>{label}</span>{" "}
    {before !== null &&
      (now === undefined
        ? describeChange(value, before, than, since)
        : describeFinishedDays(now, before))}{" "}
  </p>
);
