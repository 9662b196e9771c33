/** A fault in a file, at a line counted from 1. */
export interface FileProblem {
  file: string;
  line: number;
  message: string;
}

/** A wrong command line, setting or file. Nothing was written. */
export class UsageError extends Error {
  override readonly name = "UsageError";

  constructor(
    message: string,
    readonly problems: readonly FileProblem[] = [],
  ) {
    super(message);
  }
}

/** True for a text that no message may repeat. */
export const looksLikeKey = (text: string): boolean => text.trim().startsWith("lnk_");
