import type { DoctorReport } from "../consistency/service";
import { table } from "./plain";

/** What the doctor checks, each with the names of its findings. */
const CHECKS: readonly (readonly [string, readonly string[]])[] = [
  ["numbers of links, tags and slugs", ["active links", "archived links", "tags", "slugs"]],
  [
    "numbers of links of tags, groups and channels",
    ["links of a tag", "links of a group", "links of a channel"],
  ],
  ["lists of links by tag", ["links listed wrongly"]],
  [
    "workspaces of counted clicks and scans",
    ["hours of visits that name another workspace", "days of visits that name another workspace"],
  ],
];

function waitingText({ waiting_clicks: waiting }: DoctorReport): string {
  if (waiting === undefined) return "none";
  const { packs, visits, oldest_at: since, left } = waiting;
  return `${visits} in ${packs} packs since ${since}, ${left === 0 ? "counted now" : `${left} of ${packs} packs left`}`;
}

/** The doctor's report in plain lines: what was checked, and what was repaired. */
export function toDoctorText(report: DoctorReport): string {
  const { workspaces, repaired } = report;
  const countOf = (kinds: readonly string[]) => repaired.filter(({ kept }) => kinds.includes(kept)).length;
  const lines = [
    ...CHECKS.map(([check, kinds]): [string, string] => {
      const count = countOf(kinds);
      return [check, count === 0 ? "all right" : `${count} repaired`];
    }),
    ["clicks that waited for more than ten minutes", waitingText(report)] as const,
  ];
  const width = Math.max(...lines.map(([check]) => check.length));
  const checked = lines.map(([check, found]) => `  ${check.padEnd(width)}  ${found}`);
  const head = `Checked in ${workspaces} ${workspaces === 1 ? "workspace" : "workspaces"}:`;
  const found = repaired.length === 0 ? "Nothing had to be repaired." : `Repaired:\n\n${table(repaired)}`;
  return `${[head, ...checked, "", found].join("\n")}\n`;
}
