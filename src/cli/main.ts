import { CommanderError, InvalidArgumentError, Option, Command as Program } from "commander";
import { z } from "zod";
import { ServiceError } from "../errors";
import type { Command } from "./commands/admin-command";
import { COMMANDS } from "./commands/all-commands";
import { toValue } from "./option-value";
import { reasonOf, toPlainText } from "./plain";
import { LOCAL_STATE, openPlatform, type Platform, type PlatformOptions } from "./platform";

interface Terminal {
  out: (text: string) => void;
  err: (text: string) => void;
}

/** The values that a field takes; empty if it takes any. */
function allowedValues(field: z.core.$ZodType): string {
  const schema = z.toJSONSchema(z.object({ field }), { io: "input", unrepresentable: "any" });
  const [, values = ""] = /"enum":\[([^\]]+)\]/.exec(JSON.stringify(schema)) ?? [];
  return values.replaceAll('"', "").replaceAll(",", ", ");
}

/** An option for a field: `--time-zone` for `time_zone`. */
function toOption(name: string, field: z.core.$ZodType): Option {
  const flag = `--${name.replaceAll("_", "-")}`;
  const isFlag = z.safeParse(field, true).success;
  const isRequired = !z.safeParse(field, undefined).success;
  const notes = [isRequired ? "required" : "", allowedValues(field)].filter((note) => note !== "");
  const option = new Option(isFlag ? flag : `${flag} <value>`, notes.join("; "));
  if (!isFlag) option.argParser(toValue);
  return option.makeOptionMandatory(isRequired);
}

const MAX_NAME_CHARACTERS = 254;

function toName(name: string): string {
  if (/^[\p{L}\p{N}][\p{L}\p{N}\p{P}\p{S} ]*$/u.test(toValue(name)) && name.length <= MAX_NAME_CHARACTERS)
    return name;
  throw new InvalidArgumentError("It must be a name or an e-mail address.");
}

const COMMON_OPTIONS = [
  new Option("--json", "print one JSON object"),
  new Option("--remote", "use the deployed database instead of the local one"),
  new Option("--persist-to <folder>", "use the local database of `npm run dev -- --persist-to FOLDER`")
    .argParser(toValue)
    .default(LOCAL_STATE),
  new Option(
    "--actor <name>",
    "who you are, for the audit log; with --remote else the address of wrangler's login",
  ).argParser(toName),
];

interface CommonOptions extends PlatformOptions {
  json?: true;
}

type RunCommand = (command: Command, given: object, options: CommonOptions) => Promise<void>;

function addCommand(root: Program, name: string, command: Command, run: RunCommand): void {
  const [first = "", verb] = name.split(" ");
  const noun = root.commands.find((known) => known.name() === first) ?? root.command(first);
  const program = verb === undefined ? noun : noun.command(verb);
  program.description(command.description);
  const fields = Object.entries(command.shape);
  const options = new Map(fields.map(([field, schema]) => [field, toOption(field, schema)]));
  for (const option of [...options.values(), ...COMMON_OPTIONS]) program.addOption(option);
  program.action(() => {
    const values = [...options].map(([field, option]) => [
      field,
      program.getOptionValue(option.attributeName()),
    ]);
    const given = Object.fromEntries(values.filter(([, value]) => value !== undefined));
    const { json, remote, persistTo, actor } = program.opts<Partial<CommonOptions> & { persistTo: string }>();
    return run(command, given, { ...(json && { json }), remote: remote === true, persistTo, actor });
  });
}

function createProgram(terminal: Terminal, run: RunCommand): Program {
  const root = new Program("npm run admin --")
    .helpCommand(false)
    .exitOverride()
    .showHelpAfterError()
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err });
  for (const [name, command] of Object.entries(COMMANDS)) addCommand(root, name, command, run);
  for (const noun of root.commands.filter((one) => one.commands.length > 0))
    noun.summary(noun.commands.map((one) => one.name()).join(", "));
  return root;
}

function toErrorText(error: unknown): string {
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
  let code = 0;
  const program = createProgram(terminal, async (command, given, { json, ...platform }) => {
    const { ctx, close } = await open(platform);
    try {
      const result = await command.run(ctx, given, platform);
      terminal.out(json ? `${JSON.stringify(result)}\n` : (command.toText?.(result) ?? toPlainText(result)));
      if (command.hasFailed?.(result) === true) code = 1;
    } finally {
      await close();
    }
  });
  const words = argv[0] === "help" ? [...argv.slice(1), "--help"] : argv;
  try {
    await program.parseAsync(words.length === 0 ? ["--help"] : words, { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    terminal.err(`${toErrorText(error)}\n`);
    return 1;
  }
  return code;
}
