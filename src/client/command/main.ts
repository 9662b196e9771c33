import { version } from "../package.json";
import { parseWordsOf } from "./args";
import type { Command, Context, Io } from "./command";
import { COMMANDS } from "./commands";
import { EXIT, type ExitCode, exitOf } from "./exit";
import { findCommand } from "./find-command";
import { helpOf, helpOfAll, helpOfGroup, optionsOf } from "./help";
import { errorJson, errorLines } from "./report";
import { connect } from "./settings";
import { UsageError } from "./usage-error";

async function runCommand(io: Io, command: Command, words: readonly string[]): Promise<ExitCode> {
  const options = optionsOf(command);
  const args = parseWordsOf(words, options, command.operand);
  if (args.has("help")) {
    io.stdout.write(helpOf(command));
    return EXIT.done;
  }
  let connection: ReturnType<typeof connect> | undefined;
  const context: Context = {
    io,
    json: args.has("json"),
    dryRun: args.has("dry-run"),
    connect: () => {
      // All calls share the pace of one client.
      connection ??= connect(io);
      return connection;
    },
    commands: COMMANDS,
  };
  return command.run(context, args);
}

const isHelp = (word: string | undefined): boolean => word === "--help" || word === "-h";

async function run(io: Io): Promise<ExitCode> {
  const isAsked = io.argv[0] === "help";
  const [first, ...rest] = isAsked ? [...io.argv.slice(1), "--help"] : io.argv;
  if (first === undefined || isHelp(first)) {
    io.stdout.write(helpOfAll(COMMANDS));
    return first === undefined ? EXIT.usage : EXIT.done;
  }
  if (first === "--version") {
    io.stdout.write(`${version}\n`);
    return EXIT.done;
  }
  const found = findCommand(COMMANDS, [first, ...rest]);
  if (found.kind === "command") return runCommand(io, found.command, found.words);
  const help = helpOfGroup(found.group, found.commands);
  if (!isHelp(found.words[0])) throw new UsageError(help.trimEnd());
  io.stdout.write(help);
  return EXIT.done;
}

function helpHint(argv: readonly string[]): string {
  const words = argv.slice(0, argv.findIndex((word) => word.startsWith("-")) >>> 0);
  const known = [2, 1].map((count) => words.slice(0, count).join(" "));
  const name = known.find((one) => COMMANDS.some((command) => command.name === one));
  return `See: waymark ${name === undefined ? "" : `${name} `}--help`;
}

/** Runs one command line. Returns the exit code. */
export async function main(io: Io): Promise<ExitCode> {
  try {
    return await run(io);
  } catch (error) {
    const exitCode = exitOf(error);
    if (io.argv.includes("--json")) io.stderr.write(`${errorJson(error, exitCode)}\n`);
    else {
      const [first, ...rest] = errorLines(error);
      const isUsage = error instanceof UsageError && error.problems.length === 0 && rest.length === 0;
      io.stderr.write(`${[first, ...rest, ...(isUsage ? [helpHint(io.argv)] : [])].join("\n")}\n`);
    }
    return exitCode;
  }
}
