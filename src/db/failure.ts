import { databaseFull, type ServiceError, unavailable } from "../errors";
import { DAY_MS, SECOND_MS } from "../lib/time";

// Classifies D1 errors by their text, which is all that D1 provides. The text may hold values, so it is never logged or returned.

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
  maxRepeats: number;
  refusal: () => ServiceError;
}

const cause = (maxRepeats: number, refusal: () => ServiceError, ...phrases: readonly string[]): Cause => ({
  matches: matches(...phrases),
  maxRepeats,
  refusal,
});

const untilMidnight = (now: number): number => Math.ceil((DAY_MS - (now % DAY_MS)) / SECOND_MS);

const CAUSES: readonly Cause[] = [
  // The free plan's rows of a day are used up. Every query fails until midnight UTC.
  cause(0, () => unavailable("daily_limit", untilMidnight(Date.now())), "free tier daily row"),
  // The database or the account has reached the size that the plan allows. Deletions may free space.
  cause(
    0,
    databaseFull,
    ...[
      "SQLITE_FULL",
      "database or disk is full",
      "Exceeded maximum DB size",
      "maximum account storage limit",
    ],
  ),
  // The call was already slow.
  cause(1, () => unavailable(), "storage operation exceeded timeout"),
  // A repeat would add load.
  cause(
    0,
    () => unavailable("overloaded"),
    ...["overloaded", "Too many requests queued", "Requests queued for too long", "long-running export"],
    ...["CPU time limit and was reset", "memory limit and was reset"],
  ),
  // A repeat would exceed the platform's limit of calls per invocation too.
  cause(0, () => unavailable(), "Too many API requests by single", "Too many subrequests"),
  cause(Number.POSITIVE_INFINITY, () => unavailable("no_answer"), NO_ANSWER),
  // The call may have committed. A repeat is safe and likely to succeed.
  cause(
    Number.POSITIVE_INFINITY,
    () => unavailable(),
    ...["Network connection lost", "object to be reset", "reset because its code was updated"],
    ...["Cannot resolve D1 DB", "client disconnected", "Replica disconnected from primary"],
    // Local database only: another process holds the file lock.
    ...["SQLITE_BUSY", "internal error; reference"],
    // Command line only, which reaches the bindings over HTTP.
    ...["fetch failed", "other side closed", "ECONNRESET"],
  ),
];

/** Undefined for an error of the statements or of the code. */
export const causeOf = (error: unknown): Cause | undefined => CAUSES.find((one) => one.matches(error));

export const isAlreadyDone = matches("UNIQUE constraint failed: audit_log.operation_id");

/** Batches have waited for so long that no more is written. */
export const isQueueFull = matches("NOT NULL constraint failed: visit_queue.batch");

/** Another run has added up batches meanwhile. */
export const isOvertakenRun = matches(
  "NOT NULL constraint failed: visit_runs.batches",
  "UNIQUE constraint failed: visit_runs.run",
);

export const isImportMissing = matches("NOT NULL constraint failed: import_rows.import_id");

const OF_VALUES = [
  "too big",
  "too long",
  "too large",
  "SQLITE_TOOBIG",
  "constraint failed",
  "SQLITE_CONSTRAINT",
  "datatype mismatch",
  "malformed JSON",
];

/** The values are too large or violate a constraint: a retry would fail too. */
export const isOfValues = matches(...OF_VALUES);

/** A retry would fail too. */
export const isPermanent = matches(...OF_VALUES, "no such table", "no such column", "syntax error");

/** A guard or a constraint failed, because a concurrent request changed what the rules had read. */
export const isLostRace = matches(
  "UNIQUE constraint failed",
  "FOREIGN KEY constraint failed",
  "NOT NULL constraint failed: audit_log.action",
);
