import { SECOND_MS } from "./time";

const MAX_CHARACTERS = 64;

/** The pause that a `Retry-After` asks for, in milliseconds: seconds or a date. Null without a valid one. */
export function parseRetryAfter(header: string | null, at: number): number | null {
  const text = (header ?? "").slice(0, MAX_CHARACTERS).trim();
  if (text === "") return null;
  const ms = /^\d+$/.test(text) ? Number(text) * SECOND_MS : Date.parse(text) - at;
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}
