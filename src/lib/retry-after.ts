import { SECOND_MS } from "./time";

/** The pause that a `Retry-After` asks for, in milliseconds: seconds or a date. Null without a valid one. */
export function parseRetryAfter(header: string | null, at: number): number | null {
  const text = (header ?? "").trim();
  const ms = /^\d+$/.test(text) ? Number(text) * SECOND_MS : Date.parse(text) - at;
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}
