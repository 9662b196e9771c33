import { WaymarkError } from "./api/error";

export const EXIT = {
  done: 0,
  failed: 1,
  /** `plan --detailed-exitcode` found changes. */
  changes: 2,
  /** Wrong usage, settings or file. */
  usage: 3,
  /** The key is unknown, revoked or read-only. */
  key: 4,
  /** Some writes were made, but not all. */
  partly: 5,
  /** The plan is stale, or exceeds a guard. */
  refused: 6,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** A fault of a file, at a line counted from 1. */
export interface Problem {
  line: number;
  message: string;
}

/** A refusal before the first write. */
export class Refusal extends Error {
  override readonly name = "Refusal";

  constructor(
    message: string,
    readonly exitCode: ExitCode = EXIT.usage,
    readonly problems: readonly (Problem & { file: string })[] = [],
  ) {
    super(message);
  }
}

/** The exit code of an error before the first write. */
export function exitOf(error: unknown): ExitCode {
  if (error instanceof Refusal) return error.exitCode;
  const isKeyRefused = error instanceof WaymarkError && (error.status === 401 || error.status === 403);
  return isKeyRefused ? EXIT.key : EXIT.failed;
}
