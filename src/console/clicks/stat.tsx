import type { Child } from "hono/jsx";
import { number } from "../shell/text";
import { changeOf } from "./scale";

/** How a number has changed, also in words. */
const Change = ({
  now,
  before,
  than,
  since,
}: {
  now: number;
  before: number;
  than: string;
  since: string;
}) => {
  const change = changeOf(now, before);
  if (change.kind === "none") return <span class="delta soft">none before either</span>;
  if (change.kind === "new") return <span class="delta soft">none before</span>;
  if (change.kind === "same")
    return <span class="delta soft">{since === "" ? "as before" : `as on ${since}`}</span>;
  return (
    <span class={`delta ${change.kind}`}>
      <span aria-hidden="true">
        {change.kind === "more" ? "▲" : "▼"} {number(change.percent)}%{since !== "" && ` since ${since}`}
      </span>
      <span class="unseen">
        {number(change.percent)}% {change.kind} than {since === "" ? `in ${than}` : `on ${since}`}, which had{" "}
        {number(before)}
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
  children,
}: {
  value: number | string;
  label: Child;
  /** The number before; null if it is not compared. */
  before?: number | null;
  /** What it is compared with: "the 30 days before". */
  than?: string;
  /** The day that it is compared with instead. */
  since?: string;
  /** Under the number. */
  children?: Child;
}) => (
  <p class="stat">
    <strong>{typeof value === "number" ? number(value) : value}</strong> <span>{label}</span>{" "}
    {before !== null && typeof value === "number" && (
      <Change now={value} before={before} than={than} since={since} />
    )}{" "}
    {children}
  </p>
);
