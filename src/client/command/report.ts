import { WaymarkError } from "../api/error";
import { type ExitCode, Refusal } from "../exit";
import { printable } from "../file/format";

const HINTS: Readonly<Record<number, readonly string[]>> = {
  401: ["The service refuses the key. Check WAYMARK_KEY and WAYMARK_URL."],
  403: ["A read-only key is enough for plan. What writes needs a key with full access."],
};

/** The service's sentences, each with its field, and what is in the way. */
function refusalLines(error: WaymarkError): string[] {
  const { errors, conflicts, status, requestId, retryAfter } = error;
  const fields = Object.entries(errors).flatMap(([field, sentences]) => {
    const other = conflicts[field];
    const suffix = other === undefined ? "" : ` In the way: ${other}`;
    return sentences.map((sentence) => `${field}: ${sentence}${suffix}`);
  });
  const hint = HINTS[status] ?? [];
  const wait = retryAfter === undefined ? [] : [`Try again in ${retryAfter} s.`];
  const id = requestId === undefined ? [] : [`Request ID: ${requestId}`];
  return [...(fields.length > 0 ? fields : [messageOf(error)]), ...hint, ...wait, ...id];
}

/** A key that somebody gave as the name of a link or file must not reach a log. */
export const withoutKey = (text: string): string => text.replace(/lnk_\w+/g, "lnk_…");

const messageOf = (error: unknown): string =>
  withoutKey(error instanceof Error ? error.message : String(error));

/** An error for people, line by line. */
export function errorLines(error: unknown): string[] {
  if (error instanceof WaymarkError) return refusalLines(error).map(printable);
  if (error instanceof Refusal && error.problems.length > 0) {
    return error.problems.map(({ file, line, message }) => printable(`${file}:${line}: ${message}`));
  }
  return messageOf(error).split("\n").map(printable);
}

/** What a program needs to know of an error. */
export function errorFields(error: unknown): object {
  const message = messageOf(error);
  if (error instanceof WaymarkError) return { ...error.toJSON(), message };
  if (error instanceof Refusal && error.problems.length > 0) return { message, problems: error.problems };
  return { message };
}

/** An error for programs, on one line. */
export const errorJson = (error: unknown, exitCode: ExitCode): string =>
  JSON.stringify({ error: { ...errorFields(error), exit_code: exitCode } });
