import { parseArgs } from "node:util";
import { z } from "zod";
import { ServiceError } from "../errors";
import type { Command } from "./commands/admin-command";
import { COMMANDS } from "./commands/all-commands";
import { reasonOf, toPlainText } from "./plain";
import { LOCAL_STATE, openPlatform, type Platform, type PlatformOptions } from "./platform";
import { messageOf } from "./run";

interface Terminal {
  out: (text: string) => void;
  err: (text: string) => void;
}

/** An invalid command line. The message includes the correct usage. */
class UsageError extends Error {}

/** An option as typed, without the dashes. */
interface Option {
  flag: string;
  isRequired: boolean;
  type: "string" | "boolean";
}

/** The required options first. */
function optionsOf({ shape }: Command): Option[] {
  const options = Object.entries(shape).map(([name, field]): Option => {
    const isRequired = !z.safeParse(field, undefined).success;
    const isFlag = z.safeParse(field, true).success;
    return { flag: name.replaceAll("_", "-"), isRequired, type: isFlag ? "boolean" : "string" };
  });
  return options.toSorted((one, other) => Number(other.isRequired) - Number(one.isRequired));
}

const usageOf = (name: string, command: Command): string =>
  [
    `npm run admin -- ${name}`,
    ...optionsOf(command).map(({ flag, isRequired, type }) =>
      isRequired ? `--${flag} …` : `[--${flag}${type === "string" ? " …" : ""}]`,
    ),
  ].join(" ");

const EVERYWHERE = `Everywhere:
  [--json]            prints one JSON object
  [--remote]          uses the deployed database instead of the local one
  [--persist-to DIR]  uses the local database of \`npm run dev -- --persist-to DIR\`
`;

/** The words before the first option. */
const nameIn = (argv: readonly string[]): string =>
  argv.slice(0, argv.findIndex((word) => word.startsWith("-")) >>> 0).join(" ");

/** Lines for the options of a command that take one of some values. */
const allowedValues = ({ shape }: Command): string[] =>
  Object.entries(shape).flatMap(([name, field]) => {
    const schema = JSON.stringify(
      z.toJSONSchema(z.object({ field }), { io: "input", unrepresentable: "any" }),
    );
    const [, values] = /"enum":\[([^\]]+)\]/.exec(schema) ?? [];
    return values === undefined
      ? []
      : [`      --${name.replaceAll("_", "-")}: ${values.replaceAll('"', "").replaceAll(",", ", ")}`];
  });

/** The usage of the commands whose names begin with some words, and of a single one its allowed values. Throws if there is none. */
function usage(begin = ""): string {
  const named = Object.entries(COMMANDS).filter(
    ([name]) => begin === "" || `${name} `.startsWith(`${begin} `),
  );
  if (named.length === 0) throw new UsageError(`There is no command "${begin}".\n\n${usage()}`);
  const lines = named.flatMap(([name, command]) => [
    `  ${usageOf(name, command)}\n      ${command.description}`,
    ...(begin === "" ? [] : allowedValues(command)),
  ]);
  return `Usage:\n${lines.join("\n")}\n\n${EVERYWHERE}`;
}

function parse(argv: readonly string[]) {
  const name = nameIn(argv);
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) {
    throw new UsageError(
      `${name === "" ? "No command is given." : `There is no command "${name}".`}\n\n${usage()}`,
    );
  }
  const options = optionsOf(command);
  let values: Record<string, string | boolean | undefined>;
  try {
    ({ values } = parseArgs({
      args: argv.slice(name === "" ? 0 : name.split(" ").length),
      options: {
        ...Object.fromEntries(options.map(({ flag, type }) => [flag, { type }])),
        "persist-to": { type: "string" },
        json: { type: "boolean" },
        remote: { type: "boolean" },
      },
    }));
  } catch (error) {
    throw new UsageError(`${messageOf(error)}\nUsage: ${usageOf(name, command)}`);
  }
  const { json, remote, "persist-to": persistTo, ...given } = values;
  const missing = options.filter(({ flag, isRequired }) => isRequired && given[flag] === undefined);
  if (missing.length > 0) {
    throw new UsageError(
      `Missing: ${missing.map(({ flag }) => `--${flag}`).join(", ")}\nUsage: ${usageOf(name, command)}`,
    );
  }
  return {
    command,
    given: Object.fromEntries(
      Object.entries(given).map(([flag, value]) => [flag.replaceAll("-", "_"), value]),
    ),
    json: json === true,
    platform: { remote: remote === true, persistTo: String(persistTo ?? LOCAL_STATE) },
  };
}

function toErrorText(error: unknown): string {
  if (error instanceof UsageError) return error.message;
  if (error instanceof ServiceError) {
    const fields = Object.entries(error.body.errors ?? {}).flatMap(([field, messages]) =>
      messages.map((text) => `Error: --${field.replaceAll("_", "-")}: ${text}`),
    );
    return fields.length > 0 ? fields.join("\n") : `Error: ${error.body.message}`;
  }
  const text = reasonOf(error);
  if (text.includes("no such table")) {
    return "Error: the database has no tables yet. Run `npm run dev` once with the same --persist-to (local) or `npm run deploy` (remote).";
  }
  return `Error: ${text}`;
}

/** Runs one command. Returns the exit code. */
export async function main(
  argv: readonly string[],
  terminal: Terminal,
  open: (options: PlatformOptions) => Promise<Platform> = openPlatform,
): Promise<number> {
  try {
    if (argv.length === 0 || argv[0] === "help" || argv.some((word) => word === "--help" || word === "-h")) {
      terminal.out(usage(nameIn(argv).replace(/^help ?/, "")));
      return 0;
    }
    const { command, given, json, platform } = parse(argv);
    const { ctx, close } = await open(platform);
    try {
      const result = await command.run(ctx, given, platform);
      terminal.out(json ? `${JSON.stringify(result)}\n` : (command.toText?.(result) ?? toPlainText(result)));
      return command.hasFailed?.(result) === true ? 1 : 0;
    } finally {
      await close();
    }
  } catch (error) {
    terminal.err(`${toErrorText(error)}\n`);
    return 1;
  }
}
