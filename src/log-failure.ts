import { textOf } from "./db/failure";
import { ServiceError } from "./errors";

/** What SQLite, D1, KV and the runtime say, without the names and values behind it. */
const KNOWN = [
  /(?:UNIQUE|FOREIGN KEY|NOT NULL|CHECK) constraint failed|no such (?:table|column|index|function)|datatype mismatch/,
  /syntax error|malformed JSON|disk image is malformed|too big|too many SQL variables|pattern too complex/,
  /D1_TYPE_ERROR|D1_ERROR|KV (?:GET|PUT|DELETE) failed|Timed out|I\/O on behalf of a different request|Memory limit/,
  /Maximum call stack size exceeded|Invalid (?:URL|time value|array length|string length)|is not valid JSON/,
  /JSON input|Cannot read properties of|is not (?:a function|iterable|defined)/,
];
const MAX_POSITIONS = 8;

function codeOf(error: unknown): string | null {
  if (error instanceof ServiceError) return error.code;
  const text = textOf(error);
  return KNOWN.map((known) => known.exec(text)?.[0]).find((found) => found !== undefined) ?? null;
}

/** Files, lines and columns of the stack, without the message in front of it, whose lines may look like them. */
function positionsOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const [, frames = ""] = (error.stack ?? "").split(`${error.message}\n    at `, 2);
  const positions = frames.matchAll(/([\w.-]+:\d+:\d+)\)?$/gm);
  return Array.from(positions, ([, position = ""]) => position).slice(0, MAX_POSITIONS);
}

/** Logs an unexpected error: its name, what is known of its text, and where it was thrown. The text itself may hold stored values. */
export function logFailure(requestId: string, error: unknown): void {
  const kind = error instanceof Error ? error.name : typeof error;
  const known = { code: codeOf(error), at: positionsOf(error) };
  console.error(JSON.stringify({ level: "error", request_id: requestId, error: kind, ...known }));
}
