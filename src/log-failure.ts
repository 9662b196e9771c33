import { textOf } from "./db/failure";
import { ServiceError } from "./errors";

/** Starts of what SQLite, D1, KV and the runtime say. The log has them as they are here, and nothing of what follows. */
const KNOWN_TEXTS = [
  "UNIQUE constraint failed",
  "FOREIGN KEY constraint failed",
  "NOT NULL constraint failed",
  "CHECK constraint failed",
  "datatype mismatch",
  "no such table",
  "no such column",
  "no such index",
  "syntax error",
  "malformed JSON",
  "disk image is malformed",
  "too big",
  "too many SQL variables",
  "pattern too complex",
  "D1_TYPE_ERROR",
  "D1_ERROR",
  "KV GET failed",
  "KV PUT failed",
  "Timed out",
  "I/O on behalf of a different request",
  "Memory limit",
  "Maximum call stack size exceeded",
  "Invalid time value",
  "Invalid URL",
  "JSON input",
  "is not valid JSON",
  "Cannot read properties of",
  "is not a function",
  "is not iterable",
  "is not defined",
];
const MAX_POSITIONS = 8;

const knownText = (error: unknown): string | null => {
  if (error instanceof ServiceError) return error.code;
  const text = textOf(error);
  return KNOWN_TEXTS.find((known) => text.includes(known)) ?? null;
};

/** Files, lines and columns of the stack, without the message in front of it, whose lines may look like them. */
function positionsOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const [, frames = ""] = (error.stack ?? "").split(`${error.message}\n    at `, 2);
  return Array.from(frames.matchAll(/([\w.-]+:\d+:\d+)\)?$/gm), ([, position = ""]) => position).slice(
    0,
    MAX_POSITIONS,
  );
}

/** Logs an unexpected error: its name, what is known of its text, and where it was thrown. The text itself may hold stored values. */
export function logFailure(requestId: string, error: unknown): void {
  const kind = error instanceof Error ? error.name : typeof error;
  const line = { level: "error", request_id: requestId, error: kind, code: knownText(error) };
  console.error(JSON.stringify({ ...line, at: positionsOf(error) }));
}
