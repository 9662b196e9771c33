import { CommanderError } from "commander";
import { EXIT, type ExitCode, exitOf, Refusal } from "../exit";
import type { Command, Context, Given, Io, Options } from "./command-type";
import { connect } from "./connection-settings";
import { errorFields, errorLines, sayWaits } from "./output";
import { COMMANDS, createProgram } from "./program";

const NO_KEY_OPTION =
  "No option takes the API key, because shell histories keep it. Set WAYMARK_KEY, or WAYMARK_KEY_FILE to a file with the key.";
const KEY_IN_ARGV = /^(?:--(?:api-?)?key\b|lnk_)/i;

/** What the program says about a wrong command line. */
function toRefusal(said: string, argv: readonly string[]): Refusal {
  const message = said.replace(/^error: /, "").trimEnd();
  return new Refusal(argv.some((word) => KEY_IN_ARGV.test(word)) ? `${message}\n${NO_KEY_OPTION}` : message);
}

async function run(io: Io): Promise<ExitCode> {
  let exitCode: ExitCode = EXIT.done;
  let said = "";
  const runCommand = async (command: Command, given: Given<Options>, operands: readonly string[]) => {
    if (operands.some((text) => text.trim() === ""))
      throw new Refusal(`${command.operand?.name()} is empty.`);
    const { json, "dry-run": dryRun, ...own } = given;
    const context: Context = {
      io,
      program,
      json: json !== undefined,
      dryRun: dryRun !== undefined,
      connect: () => connect(io, sayWaits(context)),
    };
    exitCode = (await command.run(context, own, ...operands)) ?? EXIT.done;
  };
  const program = createProgram(io, runCommand, (text) => {
    said += text;
  });
  if (io.argv.length === 0) {
    program.outputHelp();
    return EXIT.usage;
  }
  const argv = io.argv[0] === "help" ? [...io.argv.slice(1), "--help"] : io.argv;
  try {
    await program.parseAsync(argv, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) throw toRefusal(said, argv);
  }
  return exitCode;
}

function helpHint(argv: readonly string[]): string {
  const given = `${argv.join(" ")} `;
  const command = COMMANDS.find(({ name }) => given.startsWith(`${name} `));
  return `See: waymark ${command === undefined ? "" : `${command.name} `}--help`;
}

export async function main(io: Io): Promise<ExitCode> {
  try {
    return await run(io);
  } catch (error) {
    const exitCode = exitOf(error);
    if (io.argv.includes("--json")) {
      const fields = { ...errorFields(error), exit_code: exitCode };
      io.stderr.write(`${JSON.stringify({ error: fields })}\n`);
    } else {
      const isUsage = exitCode === EXIT.usage && error instanceof Refusal && error.problems.length === 0;
      io.stderr.write(`${[...errorLines(error), ...(isUsage ? [helpHint(io.argv)] : [])].join("\n")}\n`);
    }
    return exitCode;
  }
}
