import { parseArgs } from "node:util";
import { nearest } from "./nearest";
import { looksLikeKey, UsageError } from "./usage-error";

export interface Option {
  description: string;
  /** The name of its value in the help. An option without one is a flag. */
  value?: string;
  short?: string;
  repeat?: boolean;
  choices?: readonly string[];
}

export type Options = Readonly<Record<string, Option>>;

/** The words after the command. */
export interface Operand {
  name: string;
  repeat?: boolean;
  choices?: readonly string[];
}

/** A parsed command line. */
export interface Args<Name extends string = string> {
  /** At least one if the command has an operand. */
  operands: readonly string[];
  /** The first operand. */
  operand: string;
  has(name: Name): boolean;
  text(name: Name): string | undefined;
  texts(name: Name): readonly string[];
  /** A whole number of at least 0. */
  number(name: Name): number | undefined;
}

/** The options of every command. */
export const COMMON: Options = {
  help: { description: "Show this help", short: "h" },
};
export const JSON_OUTPUT: Options = {
  json: { description: "Print JSON" },
};
export const DRY_RUN: Options = {
  "dry-run": { description: "Say what would be written, and write nothing" },
};

const NO_KEY_FLAG =
  "No flag takes the API key, because shell histories keep it. Set WAYMARK_KEY, or WAYMARK_KEY_FILE to a file with the key.";

type Values = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;

function parseWords(words: readonly string[], options: Options): { values: Values; operands: string[] } {
  const config = Object.fromEntries(
    Object.entries(options).map(([name, { value, short, repeat = false }]) => [
      name,
      {
        type: value === undefined ? ("boolean" as const) : ("string" as const),
        multiple: repeat,
        ...(short === undefined ? {} : { short }),
      },
    ]),
  );
  assertKnown(words, options);
  try {
    const { values, positionals } = parseArgs({ args: [...words], options: config, allowPositionals: true });
    return { values, operands: positionals };
  } catch (error) {
    // Its first sentence says what is wrong. The rest is about Node's own rules.
    const message = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${message.split(/\.\s|\n/, 1)[0]?.replace(/\.$/, "")}.`);
  }
}

/** `parseArgs` would show the value of an unknown option, which may be a key. */
function assertKnown(words: readonly string[], options: Options): void {
  const { tokens } = parseArgs({ args: [...words], options: {}, strict: false, tokens: true });
  for (const token of tokens) {
    if (token.kind !== "option" || !token.rawName.startsWith("--")) continue;
    if (Object.hasOwn(options, token.name)) continue;
    if (/^(?:api-?)?key$/i.test(token.name)) throw new UsageError(NO_KEY_FLAG);
    const near = nearest(token.name, Object.keys(options));
    throw new UsageError(
      `There is no option --${token.name}.${near === undefined ? "" : ` Did you mean --${near}?`}`,
    );
  }
}

const listOf = (values: Values, name: string): (string | boolean)[] => [values[name] ?? []].flat();

function assertChoice(name: string, value: string, choices: readonly string[] | undefined): void {
  if (choices === undefined || choices.includes(value)) return;
  const near = nearest(value, choices);
  const hint = near === undefined ? "" : ` Did you mean ${near}?`;
  throw new UsageError(`${name} must be one of ${choices.join(", ")}.${hint}`);
}

const unexpected = (word = ""): UsageError =>
  new UsageError(looksLikeKey(word) ? `Unexpected argument. ${NO_KEY_FLAG}` : `Unexpected argument: ${word}`);

function assertOperands(operands: readonly string[], operand: Operand | undefined): void {
  if (operand === undefined) {
    if (operands.length > 0) throw unexpected(operands[0]);
    return;
  }
  const { name, repeat = false, choices } = operand;
  if (operands.length === 0) throw new UsageError(`${name} is missing.`);
  if (operands.length > 1 && !repeat) throw unexpected(operands[1]);
  if (operands.some((text) => text.trim() === "")) throw new UsageError(`${name} is empty.`);
  for (const value of operands) assertChoice(name, value, choices);
}

/** Parses the words after the command. Throws a `UsageError`. */
export function parseWordsOf(words: readonly string[], options: Options, operand: Operand | undefined): Args {
  const { values, operands } = parseWords(words, options);
  for (const [name, { choices }] of Object.entries(options)) {
    for (const value of listOf(values, name)) assertChoice(`--${name}`, String(value), choices);
  }
  if (values["help"] !== true) assertOperands(operands, operand);
  const texts = (name: string) => listOf(values, name).map(String);
  const text = (name: string) => texts(name).at(-1);
  return {
    operands,
    operand: operands[0] ?? "",
    has: (name) => values[name] !== undefined,
    text,
    texts,
    number(name) {
      const given = text(name);
      if (given === undefined) return undefined;
      if (!/^\d{1,9}$/.test(given)) throw new UsageError(`--${name} must be a whole number.`);
      return Number(given);
    },
  };
}
