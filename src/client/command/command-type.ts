import type { Argument, Command as Program } from "commander";
import type { Waymark } from "../api/wire-types";
import type { ExitCode } from "../exit";

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
  /** Runs writes. The first interrupt of the process aborts the signal; a second one ends the process. */
  interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>;
}

export interface Context {
  io: Io;
  json: boolean;
  dryRun: boolean;
  /**
   * A client, and the address of the service. Throws a `Refusal` if a setting of the environment is missing or wrong. Called
   * once, so that all calls share a pace.
   */
  connect(): { client: Waymark; url: string };
  /** The whole command line, for its completion. */
  program: Program;
}

export interface Option {
  description: string;
  /** The name of its value in the help. An option without one is a flag. */
  value?: string;
  short?: string;
  choices?: readonly string[];
  /** True if the value is a whole number of at least 0. */
  isNumber?: boolean;
  repeat?: boolean;
}

export type Options = Readonly<Record<string, Option>>;

type Value<One extends Option> = One extends { choices: readonly (infer Choice)[] }
  ? Choice
  : One extends { isNumber: true }
    ? number
    : One extends { repeat: true }
      ? readonly string[]
      : One extends { value: string }
        ? string
        : true;

/** The options of a command line. */
export type Given<Known extends Options> = { readonly [Name in keyof Known]?: Value<Known[Name]> };

export interface Command<Known extends Options = Options> {
  /** One word, or the group and a verb. */
  name: string;
  summary: string;
  /** What the summary has no room for. */
  details?: string;
  /** The words after the command. */
  operand?: Argument;
  options?: Known;
  /** False if its output has no JSON form. */
  json?: false;
  /** True if it changes something in the workspace. It then has `--dry-run`. */
  writes?: boolean;
  examples: readonly string[];
  /** Without an exit code it is done. There is at least one operand if the command needs one. */
  run(
    context: Context,
    given: Given<Known>,
    ...operands: string[]
  ): Promise<void> | Promise<ExitCode | undefined>;
}

/** Keeps the names of the options, so that a wrong one in `run` is an error of types. */
export const command = <const Known extends Options = Record<never, never>>(one: Command<Known>): Command =>
  one;
