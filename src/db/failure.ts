// Classifies D1 errors by their text, which is all that D1 provides. The text may hold values, so it is never logged or returned.

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  return error.cause === undefined ? error.message : `${error.message} ${textOf(error.cause)}`;
}

const matches =
  (...phrases: readonly string[]) =>
  (error: unknown): boolean => {
    const text = textOf(error);
    return phrases.some((phrase) => text.includes(phrase));
  };

const isConnectionLost = matches(
  "Network connection lost",
  "object to be reset",
  "reset because its code was updated",
  "Cannot resolve D1 DB",
  "client disconnected",
  // Local database only: another process holds the file lock.
  "SQLITE_BUSY",
  "internal error; reference",
  // Command line only, which reaches the bindings over HTTP.
  "fetch failed",
  "other side closed",
  "ECONNRESET",
);

/** The call was already slow, so it is retried only once. */
export const isStorageTimeout = matches("storage operation exceeded timeout");

/** The call may have committed. A retry is safe and likely to succeed. */
export const isTransient = (error: unknown): boolean => isConnectionLost(error) && !isStorageTimeout(error);

/** A retry would add load, or exceed the platform's limit of calls per invocation. */
export const isOverloaded = matches(
  "overloaded",
  "Too many requests queued",
  "Too many API requests by single",
  "Too many subrequests",
);

/** The database has reached the size that the plan allows. Deletions may free space. */
export const isFull = matches("SQLITE_FULL", "database or disk is full", "Exceeded maximum DB size");

/** An earlier attempt of this batch has committed. */
export const isAlreadyDone = matches("UNIQUE constraint failed: audit_log.operation_id");

/** Batches have waited for so long that no more is written. */
export const isQueueFull = matches("NOT NULL constraint failed: visit_queue.batch");

/** Another run has added up batches meanwhile. */
export const isOvertakenRun = matches(
  "NOT NULL constraint failed: visit_runs.batches",
  "UNIQUE constraint failed: visit_runs.run",
);

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
