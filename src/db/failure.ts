// What a failed D1 call means. D1 tells it by the text alone; nothing of that text may be logged or returned.

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  return error.cause === undefined ? error.message : `${error.message} ${textOf(error.cause)}`;
}

const says =
  (...phrases: readonly string[]) =>
  (error: unknown): boolean => {
    const text = textOf(error);
    return phrases.some((phrase) => text.includes(phrase));
  };

const isConnectionLost = says(
  "Network connection lost",
  "object to be reset",
  "reset because its code was updated",
  "Cannot resolve D1 DB",
  "client disconnected",
  // The local database alone: another process, such as the operator's command, holds its file for a moment.
  "SQLITE_BUSY",
  "internal error; reference",
  // The operator's command alone, which reaches the bindings over HTTP.
  "fetch failed",
  "other side closed",
  "ECONNRESET",
);

/** It took long as it was: one repeat, no more. */
export const isStorageTimeout = says("storage operation exceeded timeout");

/** The call may or may not have taken effect; a repeat is safe and likely to succeed. */
export const isTransient = (error: unknown): boolean => isConnectionLost(error) && !isStorageTimeout(error);

/** A repeat would make it worse, or cannot help: the invocation has asked as often as the platform allows. */
export const isOverloaded = says(
  "overloaded",
  "Too many requests queued",
  "Too many API requests by single",
  "Too many subrequests",
);

/** The first try of this very batch did take effect. */
export const isAlreadyDone = says("UNIQUE constraint failed: audit_log.operation_id");

/** A pack of clicks was written by an earlier try, whose answer was lost. */
export const isWritten = says("UNIQUE constraint failed: click_packs.id");

/** Rows that were to be folded are not as they were read, or an earlier try of this very batch has folded them. */
export const isFoldedAlready = says(
  "NOT NULL constraint failed: click_packs.written_at",
  "UNIQUE constraint failed: click_packs.id",
);

/** Rows were to be kept of an import that is not there. */
export const hasNoImport = says("NOT NULL constraint failed: import_rows.import_id");

/** A repeat would fail in the same way: the statement is too large, or breaks a rule of the database. */
export const isLasting = says(
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

/** A guard or a constraint refused the batch: something changed since the rules were read. */
export const isLostRace = says(
  "UNIQUE constraint failed",
  "FOREIGN KEY constraint failed",
  "NOT NULL constraint failed: audit_log.action",
  // A limit that the batch's own count has passed.
  "NOT NULL constraint failed: workspaces.slug_claims",
);
