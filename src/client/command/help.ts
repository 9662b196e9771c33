import { COMMON, DRY_RUN, JSON_OUTPUT, type Option, type Options } from "./args";
import type { Command } from "./command";

const ENVIRONMENT = `Environment:
  WAYMARK_URL       The address of the service
  WAYMARK_KEY       An API key of your workspace
  WAYMARK_KEY_FILE  A file that holds the key, instead of WAYMARK_KEY
  NO_COLOR          No colours`;

const EXIT_CODES = `Exit codes:
  0  Done
  1  Failed
  2  There are changes (plan --detailed-exitcode)
  3  Wrong usage, settings or file. Nothing was written
  4  The key is refused
  5  Applied in part
  6  The plan is stale or exceeds a guard. Nothing was written`;

/** All options of a command, with those that every command has. */
export const optionsOf = ({ options = {}, writes = false, json }: Command): Options => ({
  ...options,
  ...(writes ? DRY_RUN : {}),
  ...(json === false ? {} : JSON_OUTPUT),
  ...COMMON,
});

const operandOf = ({ operand }: Command): string =>
  operand === undefined ? "" : ` ${operand.name}${operand.repeat ? "..." : ""}`;

const usageOf = (command: Command): string => `waymark ${command.name}${operandOf(command)}`;

function flagOf(name: string, { short, value }: Option): string {
  const flag = `${short === undefined ? "" : `-${short}, `}--${name}`;
  return value === undefined ? flag : `${flag} ${value}`;
}

function descriptionOf({ description, choices, repeat }: Option): string {
  const oneOf = choices === undefined ? "" : `: ${choices.join(", ")}`;
  return `${description}${oneOf}${repeat ? ". Repeatable" : ""}`;
}

function toLines(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`).join("\n");
}

const examplesOf = (examples: readonly string[]): string =>
  `Examples:\n${examples.map((example) => `  ${example}`).join("\n")}`;

export function helpOf(command: Command): string {
  const options = Object.entries(optionsOf(command));
  const rows = options.map(([name, option]) => [flagOf(name, option), descriptionOf(option)] as const);
  const parts = [
    `${command.summary}.`,
    `Usage: ${usageOf(command)} [options]`,
    ...(command.details === undefined ? [] : [command.details]),
    `Options:\n${toLines(rows)}`,
    examplesOf(command.examples),
  ];
  return `${parts.join("\n\n")}\n`;
}

const listOf = (commands: readonly Command[]): string =>
  `Commands:\n${toLines(commands.map((command) => [command.name + operandOf(command), command.summary]))}`;

/** The help of a group such as `links`. */
export const helpOfGroup = (group: string, commands: readonly Command[]): string =>
  `Usage: waymark ${group} COMMAND [options]\n\n${listOf(commands)}\n\nMore: waymark ${group} COMMAND --help\n`;

const EXAMPLES = [
  "waymark whoami",
  "waymark links create --destination https://www.example.com/sale --slug summer",
  "waymark plan && waymark apply --urls urls.json",
];

export const helpOfAll = (commands: readonly Command[]): string =>
  `${[
    "waymark: short links, tags and QR codes of your workspace.",
    "Usage: waymark COMMAND [options]",
    listOf(commands),
    ENVIRONMENT,
    EXIT_CODES,
    examplesOf(EXAMPLES),
    "More: waymark COMMAND --help",
  ].join("\n\n")}\n`;
