import type { Child } from "hono/jsx";
import { number } from "../shell/text";

interface Compared {
  /** The number before; null if it is not compared. */
  before?: number | null;
  /** What it is compared with: "the 30 days before". */
  than?: string;
  /** The day that it is compared with instead. */
  since?: string;
}

/** A greater change says less than the number before. */
const MAX_PERCENT = 999;

/** How a number has changed, also in words. */
const Change = ({ now, before, than, since }: Required<Compared> & { now: number; before: number }) => {
  if (before === 0) return <span class="delta soft">{now === 0 ? "none before either" : "none before"}</span>;
  const share = Math.round((Math.abs(now - before) / before) * 100);
  const percent = number(share);
  if (percent === "0") {
    return <span class="delta soft">{since === "" ? "as before" : `as on ${since}`}</span>;
  }
  const kind = now > before ? "more" : "less";
  return (
    <span class={`delta ${kind}`}>
      <span aria-hidden="true">
        {kind === "more" ? "▲" : "▼"} {share > MAX_PERCENT ? `from ${number(before)}` : `${percent}%`}
        {since !== "" && ` since ${since}`}
      </span>
      <span class="unseen">
        {percent}% {kind} than {since === "" ? `in ${than}` : `on ${since}`}, which had {number(before)}
      </span>
    </span>
  );
};

/** A number with its name, and how it has changed if it is compared. */
export const Stat = ({
  value,
  label,
  before = null,
  than = "",
  since = "",
}: Compared & { value: number | string; label: Child }) => (
  <p class="stat">
    <strong>{typeof value === "number" ? number(value) : value}</strong> <span>{label}</span>{" "}
    {before !== null && typeof value === "number" && (
      <Change now={value} before={before} than={than} since={since} />
    )}{" "}
  </p>
);
