import { WaymarkError } from "../api/error";
import { PlanError, type RefusalReason } from "../file/errors";
import { UsageError } from "./usage-error";

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

const OF_REFUSALS: Readonly<Record<RefusalReason, ExitCode>> = {
  problems: EXIT.usage,
  conflicts: EXIT.failed,
  removals: EXIT.refused,
  stale: EXIT.refused,
  saved_plan: EXIT.usage,
  adopt: EXIT.failed,
};

const isKeyRefused = (error: unknown): boolean =>
  error instanceof WaymarkError && (error.status === 401 || error.status === 403);

/** The exit code of an error before the first write. */
export function exitOf(error: unknown): ExitCode {
  if (error instanceof UsageError) return EXIT.usage;
  if (error instanceof PlanError) return OF_REFUSALS[error.reason];
  return isKeyRefused(error) ? EXIT.key : EXIT.failed;
}

/** The exit code of several writes, by how many were made and what the others failed with. */
export function exitOfWrites(done: number, failures: readonly unknown[], skipped: number): ExitCode {
  if (failures.length + skipped === 0) return EXIT.done;
  if (done > 0) return EXIT.partly;
  if (failures.some(isKeyRefused)) return EXIT.key;
  const isStale = (error: unknown) => error instanceof WaymarkError && error.status === 412;
  return failures.length > 0 && failures.every(isStale) ? EXIT.refused : EXIT.failed;
}
