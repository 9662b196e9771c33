import type { Clock } from "../api/clock";
import type { Waymark } from "../api/resources";
import type { Args, Operand, Options } from "./args";
import type { ExitCode } from "./exit";

/** A stream to write to. */
export interface Output {
  /** False if nobody reads it any more. */
  write(content: string | Uint8Array): boolean;
  isTerminal: boolean;
  /** The width of the terminal in characters. */
  columns?: number | undefined;
}

/** What a command has of its process. Tests replace it. */
export interface Io {
  argv: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  stdout: Output;
  stderr: Output;
  fetch?: typeof fetch;
  clock?: Clock;
  /** Runs writes. The first interrupt of the process aborts the signal; a second one ends the process. */
  interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>;
}

export interface Context {
  io: Io;
  json: boolean;
  dryRun: boolean;
  /** The settings of the environment. Throws a `UsageError` if one is missing or wrong. */
  connect(): Promise<{ client: Waymark; url: string }>;
  /** All commands. */
  commands: readonly Command[];
}

export interface Command<Given extends Options = Options> {
  /** One word, or the group and a verb. */
  name: string;
  summary: string;
  /** What the summary has no room for. */
  details?: string;
  operand?: Operand;
  options?: Given;
  /** False if its output has no JSON form. */
  json?: false;
  /** True if it changes something in the workspace. It then has `--dry-run`. */
  writes?: boolean;
  examples: readonly string[];
  run(context: Context, args: Args<keyof Given & string>): Promise<ExitCode>;
}

/** Keeps the names of the options, so that a wrong one in `run` is an error of types. */
export const command = <const Given extends Options = Record<never, never>>(one: Command<Given>): Command =>
  one;
