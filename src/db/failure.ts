import { databaseFull, type ServiceError, unavailable } from "../errors";
import { DAY_MS, SECOND_MS } from "../lib/time";

// Classifies D1 errors by their text, which is all that D1 provides. The text may hold values, so it is never logged or returned.

/** The message of an error and of what caused it. */
export function textOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  return error.cause === undefined ? error.message : `${error.message} ${textOf(error.cause)}`;
}

const matches =
  (...phrases: readonly string[]) =>
  (error: unknown): boolean => {
    const text = textOf(error);
    return phrases.some((phrase) => text.includes(phrase));
  };

/** The message of our own error if D1 does not answer in time. */
export const NO_ANSWER = "D1 has not answered in time";

/** Why D1 did not do what it was asked for, although the statements are right. */
interface Cause {
  matches: (error: unknown) => boolean;
  /** How often the call may be repeated. */
  maxRepeats: number;
  refusal: () => ServiceError;
}

const untilMidnight = (now: number): number => Math.ceil((DAY_MS - (now % DAY_MS)) / SECOND_MS);

/** The first one that matches counts. */
const CAUSES: readonly Cause[] = [
  {
    // The free plan's rows of a day are used up. Every query fails until midnight UTC.
    matches: matches("free tier daily row"),
    maxRepeats: 0,
    refusal: () => unavailable("daily_limit", untilMidnight(Date.now())),
  },
  {
    // The database or the account has reached the size that the plan allows. Deletions may free space.
    matches: matches(
      "SQLITE_FULL",
      "database or disk is full",
      "Exceeded maximum DB size",
      "maximum account storage limit",
    ),
    maxRepeats: 0,
    refusal: databaseFull,
  },
  {
    // The call was already slow.
    matches: matches("storage operation exceeded timeout"),
    maxRepeats: 1,
    refusal: () => unavailable(),
  },
  {
    // A repeat would add load.
    matches: matches(
      "overloaded",
      "Too many requests queued",
      "Requests queued for too long",
      "CPU time limit and was reset",
      "memory limit and was reset",
      "long-running export",
    ),
    maxRepeats: 0,
    refusal: () => unavailable("overloaded"),
  },
  {
    // A repeat would exceed the platform's limit of calls per invocation too.
    matches: matches("Too many API requests by single", "Too many subrequests"),
    maxRepeats: 0,
    refusal: () => unavailable(),
  },
  {
    matches: matches(NO_ANSWER),
    maxRepeats: Number.POSITIVE_INFINITY,
    refusal: () => unavailable("no_answer"),
  },
  {
    // The call may have committed. A repeat is safe and likely to succeed.
    matches: matches(
      "Network connection lost",
      "object to be reset",
      "reset because its code was updated",
      "Cannot resolve D1 DB",
      "client disconnected",
      "Replica disconnected from primary",
      // Local database only: another process holds the file lock.
      "SQLITE_BUSY",
      "internal error; reference",
      // Command line only, which reaches the bindings over HTTP.
      "fetch failed",
      "other side closed",
      "ECONNRESET",
    ),
    maxRepeats: Number.POSITIVE_INFINITY,
    refusal: () => unavailable(),
  },
];

/** Undefined for an error of the statements or of the code. */
export const causeOf = (error: unknown): Cause | undefined => CAUSES.find((cause) => cause.matches(error));

/** A repeat is safe and likely to succeed. */
export const isTransient = (error: unknown): boolean =>
  causeOf(error)?.maxRepeats === Number.POSITIVE_INFINITY;

/** An earlier attempt of this batch has committed. */
export const isAlreadyDone = matches("UNIQUE constraint failed: audit_log.operation_id");

/** So many batches wait that no more is written. */
export const isQueueFull = matches("NOT NULL constraint failed: visit_queue.batch");

/** The import of the inserted rows does not exist. */
export const isImportMissing = matches("NOT NULL constraint failed: import_rows.import_id");

/** A retry would fail too: the statement is too large or violates a constraint. */
export const isPermanent = matches(
  "too big",
  "too long",
  "too large",
  "SQLITE_TOOBIG",
  "constraint failed",
  "SQLITE_CONSTRAINT",
  "datatype mismatch",
  "malformed JSON",
  "no such table",
  "no such column",
  "syntax error",
);

/** A guard or a constraint failed, because a concurrent request changed what the rules had read. */
export const isLostRace = matches(
  "UNIQUE constraint failed",
  "FOREIGN KEY constraint failed",
  "NOT NULL constraint failed: audit_log.action",
);
