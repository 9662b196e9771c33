import type { Command } from "./command";
import { nearest } from "./nearest";
import { looksLikeKey, UsageError } from "./usage-error";

type Found =
  | { kind: "command"; command: Command; words: readonly string[] }
  | { kind: "group"; group: string; commands: readonly Command[]; words: readonly string[] };

const groupOf = ({ name }: Command): string => name.split(" ")[0] ?? "";

function refuse(what: string, known: readonly string[], near: string | undefined): never {
  const hint = near === undefined ? `Known are ${known.join(", ")}.` : `Did you mean waymark ${near}?`;
  const isShown = !what.split(" ").some(looksLikeKey);
  throw new UsageError(`There is no ${isShown ? `command "${what}"` : "such command"}. ${hint}`);
}

/** The command that the first words name. Suggests one for a mistyped name. */
export function findCommand(commands: readonly Command[], words: readonly string[]): Found {
  const [first = "", second] = words;
  const members = commands.filter((command) => groupOf(command) === first);
  const [only] = members;
  if (only === undefined) {
    const groups = [...new Set(commands.map(groupOf))];
    return refuse(first, groups, meant(commands, first, second, groups));
  }
  if (only.name === first) return { kind: "command", command: only, words: words.slice(1) };
  if (second === undefined || second.startsWith("-")) {
    return { kind: "group", group: first, commands: members, words: words.slice(1) };
  }
  const command = members.find(({ name }) => name === `${first} ${second}`);
  if (command !== undefined) return { kind: "command", command, words: words.slice(2) };
  const verbs = members.map(({ name }) => name.slice(first.length + 1));
  const near = nearest(second, verbs);
  return refuse(`${first} ${second}`, verbs, near === undefined ? undefined : `${first} ${near}`);
}

/** The command that two mistyped words mean, or that the first one means. */
function meant(
  commands: readonly Command[],
  first: string,
  second: string | undefined,
  groups: readonly string[],
): string | undefined {
  const group = nearest(first, groups);
  if (group === undefined) return otherOrder(commands, first, second);
  const names = commands.map(({ name }) => name).filter((name) => name.startsWith(`${group} `));
  return (second === undefined ? undefined : nearest(`${group} ${second}`, names)) ?? group;
}

/** `list links` and `list` are in the habit of other tools. */
function otherOrder(
  commands: readonly Command[],
  verb: string,
  noun: string | undefined,
): string | undefined {
  const withVerb = commands.filter(({ name }) => name.endsWith(` ${verb}`));
  return (withVerb.find((command) => groupOf(command) === noun) ?? withVerb[0])?.name;
}
