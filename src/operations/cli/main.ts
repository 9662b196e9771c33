import { parseArgs } from "node:util";
import { ServiceError } from "../../errors";
import { COMMANDS, type Command, type Options } from "./commands";
import { toPlainText } from "./plain";
import { LOCAL_STATE, openPlatform, type Platform, type PlatformOptions } from "./platform";

interface Terminal {
  out: (text: string) => void;
  err: (text: string) => void;
}

/** An invalid command line. The message includes the correct usage. */
class UsageError extends Error {}

const toOptionTypes = <Type extends "string" | "boolean">(type: Type, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { type }]));

const usageOf = (name: string, { required, optional = [], flags = [] }: Command): string =>
  [
    "npm run admin --",
    name,
    ...required.map((flag) => `--${flag} …`),
    ...optional.map((flag) => `[--${flag} …]`),
    ...flags.map((flag) => `[--${flag}]`),
  ].join(" ");

const EVERYWHERE = `Everywhere:
  [--json]            prints one JSON object
  [--remote]          uses the deployed database instead of the local one
  [--persist-to DIR]  uses the local database of \`npm run dev -- --persist-to DIR\`
`;

function usage(): string {
  const lines = Object.entries(COMMANDS).map(
    ([name, command]) => `  ${usageOf(name, command)}\n      ${command.description}`,
  );
  return `Usage:\n${lines.join("\n")}\n\n${EVERYWHERE}`;
}

function parse(argv: readonly string[]): {
  command: Command;
  options: Options;
  json: boolean;
  platform: PlatformOptions;
} {
  const words = argv.slice(0, argv.findIndex((word) => word.startsWith("-")) >>> 0);
  const name = words.join(" ");
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) {
    throw new UsageError(
      `${name === "" ? "No command is given." : `There is no command "${name}".`}\n\n${usage()}`,
    );
  }
  let values: Record<string, string | boolean | undefined>;
  try {
    ({ values } = parseArgs({
      args: argv.slice(words.length),
      allowPositionals: false,
      options: {
        ...toOptionTypes("string", [...command.required, ...(command.optional ?? []), "persist-to"]),
        ...toOptionTypes("boolean", [...(command.flags ?? []), "json", "remote"]),
      },
    }));
  } catch (error) {
    throw new UsageError(
      `${error instanceof Error ? error.message : error}\nUsage: ${usageOf(name, command)}`,
    );
  }
  const missing = command.required.filter((flag) => values[flag] === undefined);
  if (missing.length > 0) {
    throw new UsageError(
      `Missing: ${missing.map((flag) => `--${flag}`).join(", ")}\nUsage: ${usageOf(name, command)}`,
    );
  }
  const { json, remote, "persist-to": persistTo, ...rest } = values;
  return {
    command,
    options: Object.fromEntries(Object.entries(rest).map(([flag, value]) => [flag, String(value)])),
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
  const text = error instanceof Error ? `${error.message} ${error.cause ?? ""}` : String(error);
  if (text.includes("no such table")) {
    return "Error: the database has no tables yet. Run `npm run dev` once with the same --persist-to (local) or `npm run deploy` (remote).";
  }
  // Drizzle's own message contains every bound value, its cause does not.
  return `Error: ${error instanceof Error ? String(error.cause ?? error.message).trim() : error}`;
}

/** Runs one command. Returns the exit code. */
export async function main(
  argv: readonly string[],
  terminal: Terminal,
  open: (options: PlatformOptions) => Promise<Platform> = openPlatform,
): Promise<number> {
  if (argv.length === 0 || argv[0] === "help" || argv[0] === "--help") {
    terminal.out(usage());
    return 0;
  }
  try {
    const { command, options, json, platform } = parse(argv);
    const { ctx, close } = await open(platform);
    try {
      const result = await command.run(ctx, options, platform);
      terminal.out(json ? `${JSON.stringify(result)}\n` : (command.toText?.(result) ?? toPlainText(result)));
    } finally {
      await close();
    }
    return 0;
  } catch (error) {
    terminal.err(`${toErrorText(error)}\n`);
    return 1;
  }
}
