import { type Applied, withRest } from "./apply-plan";
import type { Shown } from "./diff";
import type { Action, Conflict, Plan } from "./make-plan";

export const SIGNS = { create: "+", update: "~", archive: "-", delete: "-" } as const;

// Bidirectional controls and other invisible characters could make a terminal or page show another text.
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
const escaped = (character: string): string => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
/** Text that a terminal shows as it is. */
export const printable = (text: string): string => text.replace(UNPRINTABLE, escaped);

function showValue(value: Shown): string {
  if (typeof value === "string") return `"${printable(value)}"`;
  return value === null || value.length === 0 ? "none" : printable(value.join(", "));
}

const slugOf = ({ slug }: Action): string => (slug === undefined ? "(generated slug)" : `/${slug}`);

function fieldsOf({ op, changes }: Action): { field: string; text: string }[] {
  // The slug of a new link stands beside its key.
  const shown = op === "create" ? changes.filter(({ field }) => field !== "slug") : changes;
  return shown.map(({ field, before, after }) => ({
    field,
    text: op === "create" ? showValue(after) : `${showValue(before)} → ${showValue(after)}`,
  }));
}

export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

function countsOf({ actions, tags, unchanged, kept, conflicts }: Plan) {
  const count = (op: Action["op"]) => actions.filter((action) => action.op === op).length;
  return {
    create: count("create"),
    update: count("update"),
    archive: count("archive"),
    delete: count("delete"),
    create_tag: tags.length,
    unchanged: unchanged.size,
    kept,
    conflicts: conflicts.length,
  };
}

export const hasChanges = ({ actions, tags }: Plan): boolean => actions.length + tags.length > 0;

/** The last line of a plan. Counts of zero are left out, but for the three main ones. */
function countLine(plan: Plan): string {
  const counts = countsOf(plan);
  const remove = counts.archive + counts.delete;
  const verb = counts.delete > 0 ? "to delete" : "to archive";
  return `${[
    `Plan: ${counts.create} to create`,
    `${counts.update} to update`,
    `${remove} ${remove > 0 ? verb : "to remove"}`,
    ...(counts.create_tag > 0 ? [`${plural(counts.create_tag, "tag")} to create`] : []),
    `${counts.unchanged} unchanged`,
    ...(counts.kept > 0 ? [`${counts.kept} kept without a key`] : []),
    ...(counts.conflicts > 0 ? [plural(counts.conflicts, "conflict")] : []),
  ].join(", ")}.`;
}

export const appliedLine = (applied: Applied): string =>
  applied.done.length + applied.failed.length + applied.skipped.length === 0
    ? "Nothing to do: the workspace is as the file says."
    : withRest(`Applied: ${applied.done.length} done`, applied);

const COLOURS = { "+": 32, "~": 33, "-": 31, "!": 35 } as const;
type Sign = keyof typeof COLOURS;

/** A plan for a terminal, field by field, with ANSI colours if asked. The last line has the counts. */
export function formatText(plan: Plan, { colour = false } = {}): string {
  const paint = (sign: Sign, text: string) => (colour ? `\u001b[${COLOURS[sign]}m${text}\u001b[0m` : text);
  const lines: string[] = plan.tags.map((name) => paint("+", `+ tag "${printable(name)}"`));
  for (const action of plan.actions) {
    const { op, key } = action;
    const fields = fieldsOf(action);
    const how = op === "archive" || op === "delete" ? ` (${op})` : "";
    lines.push(paint(SIGNS[op], `${SIGNS[op]} ${printable(key)}  ${slugOf(action)}${how}`));
    const width = Math.max(0, ...fields.map(({ field }) => field.length));
    for (const { field, text } of fields) lines.push(`    ${field.padEnd(width)}  ${text}`);
  }
  for (const { key, message } of plan.conflicts) lines.push(paint("!", `! ${key}  ${printable(message)}`));
  for (const warning of plan.warnings) lines.push(`Warning: ${printable(warning)}`);
  if (lines.length > 0) lines.push("");
  return `${[...lines, countLine(plan)].join("\n")}\n`;
}

const MAX_MARKDOWN_ROWS = 500;
/** A job summary of GitHub holds 1 MiB. */
const MAX_MARKDOWN_BYTES = 900_000;

/** Text that Markdown and HTML leave alone, in a table too. */
const plainMarkdown = (text: string): string =>
  printable(text).replace(/[!-/:-@[-`{-~]/g, (character) => `&#${character.charCodeAt(0)};`);
const code = (text: string): string => `<code>${plainMarkdown(text)}</code>`;

const tableRow = (...cells: string[]): string => `| ${cells.join(" | ")} |`;

function markdownRow(action: Action): string {
  const { op, key } = action;
  const shown = fieldsOf(action)
    .map(({ field, text }) => `${field}: ${code(text)}`)
    .join("<br>");
  return tableRow(code(SIGNS[op]), op, code(key), code(slugOf(action)), shown);
}

const conflictRow = ({ key, slug, message }: Conflict): string =>
  tableRow(code("!"), "conflict", code(key), code(`/${slug}`), plainMarkdown(message));

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

export function formatMarkdown(plan: Plan): string {
  const rows = [
    ...plan.conflicts.map(conflictRow),
    ...plan.tags.map((name) => tableRow(code("+"), "create tag", code(name), "", "")),
    ...plan.actions.map(markdownRow),
  ];
  const head = [
    `### Links of ${code(plan.name)}`,
    "",
    `**${countLine(plan)}**`,
    ...plan.warnings.flatMap((warning) => ["", `> ${plainMarkdown(warning)}`]),
    ...(rows.length > 0 ? ["", "| | | Key | Slug | Changes |", "|---|---|---|---|---|"] : []),
  ];
  let left = MAX_MARKDOWN_BYTES - bytesOf(head.join("\n"));
  const shown = rows.slice(0, MAX_MARKDOWN_ROWS).filter((row) => {
    left -= bytesOf(row) + 1;
    return left >= 0;
  });
  const more = rows.length - shown.length;
  return `${[...head, ...shown, ...(more > 0 ? ["", `And ${more} more.`] : [])].join("\n")}\n`;
}

/** A plan for programs. Its fields only grow. */
export const planToJson = (plan: Plan) => ({
  name: plan.name,
  changes: hasChanges(plan),
  counts: countsOf(plan),
  tags: plan.tags,
  actions: plan.actions.map((action) => ({
    op: action.op,
    key: action.key,
    slug: action.slug ?? null,
    id: action.op === "create" ? null : action.link.id,
    fields: action.changes,
  })),
  conflicts: plan.conflicts,
  // A file with problems has no plan.
  problems: [],
  warnings: plan.warnings,
});
