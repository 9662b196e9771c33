import { isObject } from "../lib/json";

const title = (name: string): string => name.replaceAll("_", " ");

/** Converts a value to text without line breaks. A missing value is "-", an object without others is `name value, …`. */
export const toOneLine = (value: unknown): string => {
  const isMissing = value === null || value === undefined || value === "";
  if (isMissing || (Array.isArray(value) && value.length === 0)) return "-";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value) && value.every((item) => typeof item !== "object")) return value.join(", ");
  if ("slug" in value) return String(value.slug);
  const entries = Object.entries(value);
  if (entries.length === 0 || entries.some(([, entry]) => typeof entry === "object"))
    return JSON.stringify(value);
  return entries.map(([name, entry]) => `${title(name)} ${entry}`).join(", ");
};

function table(rows: readonly object[]): string {
  const names = Object.keys(rows[0] ?? {});
  const lines = [
    names.map(title),
    ...rows.map((row) => names.map((name) => toOneLine(Reflect.get(row, name)))),
  ];
  const widths = names.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

const isTable = (value: unknown): value is object[] =>
  Array.isArray(value) && value.length > 0 && value.every((row) => typeof row === "object" && row !== null);

const fields = (object: object): string => {
  const entries = Object.entries(object).filter(([, value]) => !isTable(value));
  const width = Math.max(0, ...entries.map(([name]) => name.length));
  const lines = entries.map(([name, value]) => `${title(name).padEnd(width)}  ${toOneLine(value)}`);
  const tables = Object.entries(object).flatMap(([name, value]) =>
    isTable(value) ? [`\n${title(name)}\n${table(value)}`] : [],
  );
  return [...lines, ...tables].join("\n");
};

/** The text of an error. Drizzle's own message contains every bound value, its cause does not. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  // wrangler's errors have an event as their cause, and that has the reason.
  const reason = (isObject(cause) && !(cause instanceof Error) ? cause["cause"] : cause) ?? error.message;
  if (!isObject(reason)) return String(reason).trim();
  // What Cloudflare's API said is in the notes of wrangler's error.
  const notes = Array.isArray(reason["notes"]) ? reason["notes"].map(({ text }) => text) : [];
  return [reason["message"] ?? JSON.stringify(reason), ...notes].join(" ").trim();
}

/** Converts a command's result to text: a list to a table, an object to one line per field. */
export function toPlainText(result: object): string {
  const [entry, ...others] = Object.entries(result);
  if (entry === undefined) return "Done.\n";
  const [name, value] = entry;
  if (Array.isArray(value)) {
    const list = value.length === 0 ? `No ${title(name)} yet.\n` : `${table(value)}\n`;
    return others.length === 0 ? list : `${list}\n${fields(Object.fromEntries(others))}\n`;
  }
  if (typeof value === "object" && value !== null) {
    const rest = Object.fromEntries(others);
    return `${fields({ ...value, ...rest })}\n`;
  }
  return `${fields(result)}\n`;
}
