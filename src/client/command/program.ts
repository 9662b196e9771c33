import { InvalidArgumentError, Command as Program, Option as ProgramOption } from "commander";
import { version } from "../package.json";
import { adoptCommand } from "./adopt";
import { applyCommand, planCommand } from "./apply-command";
import { type Command, command, type Given, type Io, type Option, type Options } from "./command-type";
import { completionCommand } from "./completion";
import { hasSettings, reportAt } from "./connection-settings";
import { exportCommand } from "./export-command";
import { labelCommands } from "./labels";
import { linkCommands } from "./link-commands";
import { moveCommand } from "./move";
import { printResult, say } from "./output";
import { qrCommand } from "./qr";
import { reportCommand } from "./report-command";

const whoamiCommand = command({
  name: "whoami",
  summary: "Show the workspace of the key, and whether the key may write",
  examples: ["waymark whoami", "waymark whoami --json | jq -r .access"],
  async run(context) {
    const { client, url } = context.connect();
    const { workspace, access } = await client.whoami();
    const shown = { url, workspace: workspace.slug, name: workspace.name, access };
    printResult(context, { url, workspace, access }, shown);
  },
});

const mcpCommand = command({
  name: "mcp",
  summary: "Serve agents on standard input and output, as an MCP server",
  details:
    "The tools: find_links, get_link, list_labels, qr_code, get_report; with --write also create_link, update_link,\n" +
    "set_tags. Without any settings there is get_report alone, which needs no key. The server ends when its standard\n" +
    "input does.",
  options: {
    write: { description: "Also list the tools that change links. They need a key with full access" },
  },
  json: false,
  examples: ["waymark mcp", "waymark mcp --write"],
  async run(context, { write = false }) {
    const readsReports = !write && !hasSettings(context.io);
    const client = readsReports ? undefined : context.connect().client;
    if (readsReports) say(context, "WAYMARK_URL and WAYMARK_KEY are not set, so there is get_report alone.");
    const canWrite = write && (await client?.whoami())?.access === "full";
    if (write && !canWrite)
      say(context, "The key is read-only, so the tools that change links are left out.");
    const { serveMcp } = await import("../mcp/server");
    const onError = (error: Error) => say(context, error.message);
    const read = (address: string) => reportAt(context.io, undefined, address);
    await serveMcp({ client, version, write: canWrite, readReport: read, onError });
  },
});

/** All commands, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  whoamiCommand,
  ...linkCommands,
  ...labelCommands,
  moveCommand,
  qrCommand,
  reportCommand,
  exportCommand,
  planCommand,
  applyCommand,
  adoptCommand,
  mcpCommand,
  completionCommand,
];

const ABOUT = "Short links, tags and QR codes of your workspace.";

const AFTER_ALL = `
Environment:
  WAYMARK_URL       The address of the service
  WAYMARK_KEY       An API key of your workspace
  WAYMARK_KEY_FILE  A file that holds the key, instead of WAYMARK_KEY
  HTTPS_PROXY       A proxy, such as http://proxy.example:3128. NO_PROXY lists hosts without it
  NO_COLOR          No colours

Exit codes:
  0  Done
  1  Failed
  2  There are changes (plan --detailed-exitcode)
  3  Wrong usage, settings or file. Nothing was written
  4  The key is refused
  5  Applied in part
  6  The plan is stale or exceeds a guard. Nothing was written

Examples:
  waymark whoami
  waymark links create --destination https://www.example.com/sale --slug summer
  waymark plan && waymark apply --urls urls.json

More: waymark COMMAND --help`;

/** All options of a command but `--help`. */
export const optionsOf = ({ options = {}, writes = false, json }: Command): Options => ({
  ...options,
  ...(writes ? { "dry-run": { description: "Say what would be written, and write nothing" } } : {}),
  ...(json === false ? {} : { json: { description: "Print JSON" } }),
});

function toNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a whole number.");
}

function toOption(name: string, { description, value, short, choices, isNumber, repeat }: Option) {
  const flag = `${short === undefined ? "" : `-${short}, `}--${name}${value === undefined ? "" : ` <${value}>`}`;
  const option = new ProgramOption(flag, repeat ? `${description}. Repeatable` : description);
  if (choices !== undefined) option.choices(choices);
  if (isNumber) option.argParser(toNumber);
  if (repeat) option.argParser((text, texts: readonly string[] = []) => [...texts, text]);
  return option;
}

type Run = (command: Command, given: Given<Options>, operands: readonly string[]) => Promise<void>;

function addCommand(root: Program, one: Command, run: Run): void {
  const [first = "", verb] = one.name.split(" ");
  const group = root.commands.find((known) => known.name() === first) ?? root.command(first);
  const program = verb === undefined ? group : group.command(verb);
  const { summary, details, operand, examples } = one;
  program.summary(summary).description(details === undefined ? `${summary}.` : `${summary}.\n\n${details}`);
  program.addHelpText("after", `\nExamples:\n${examples.map((example) => `  ${example}`).join("\n")}`);
  if (operand !== undefined) program.addArgument(operand);
  for (const [name, option] of Object.entries(optionsOf(one))) program.addOption(toOption(name, option));
  program.action(() => {
    // A flag such as `--no-tags` has a value where it is not given.
    const given = program.options
      .filter((option) => program.getOptionValueSource(option.attributeName()) === "cli")
      .map((option) => [option.name(), option.negate || program.getOptionValue(option.attributeName())]);
    return run(one, Object.fromEntries(given), program.args);
  });
}

/** The command line. `run` is called with the command that it names. `onMistake` gets what is wrong with it. */
export function createProgram({ stdout }: Io, run: Run, onMistake: (text: string) => void): Program {
  const width = () => stdout.columns ?? 100;
  const program = new Program("waymark")
    .description(ABOUT)
    .version(version, "--version", "Show the version")
    .helpOption("-h, --help", "Show this help")
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: onMistake,
      getOutHelpWidth: width,
      getErrHelpWidth: width,
    })
    .addHelpText("after", AFTER_ALL);
  for (const one of COMMANDS) addCommand(program, one, run);
  for (const group of program.commands.filter((one) => one.commands.length > 0)) {
    group.summary(group.commands.map((one) => one.name()).join(", "));
  }
  return program;
}
