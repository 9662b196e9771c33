import type { ServiceError } from "../../errors";
import { invalid } from "../../field-errors";
import { parseDestination } from "../../lib/destination";
import { isObject, parseJson, parseJsonObject } from "../../lib/json";
import type { Rule } from "../../lib/visitor-rules";
import { TABLES } from "./backup-tables";

// A backup is lines of JSON: a head, sections and a seal. A section is a line with table, workspace and columns, then
// each row as an array, because names would be two fifths of the file. An `again` line names what changed while the
// backup was read: earlier rows of it are void, and its current rows follow. A backup that is written in chunks has a
// `sealed` line after each, with the hash of the lines since the one before, itself included: the next hash begins with it.

export const VERSION = 1;

export interface Head {
  waymark_backup: typeof VERSION;
  /** The last migration of the database. */
  schema: string;
  at: string;
  /** Slugs. */
  workspaces: string[];
  /** Whether it has all workspaces, and rows that belong to none. */
  whole: boolean;
}

interface Section {
  table: string;
  /** Public id; null for rows that belong to no workspace. */
  workspace: string | null;
  columns: string[];
}

export interface Seal {
  /** Number of rows by table. */
  rows: Record<string, number>;
  /** Hash of all previous lines, or those from the last `sealed` line on, each with its line feed. */
  sha256: string;
}

type Values = readonly (string | number | null)[];

export interface FileRow extends Section {
  values: Values;
  /** The line's number, starting at 1 for the head. */
  line: number;
}

export interface Hash {
  update: (text: string) => unknown;
  digest: () => string;
}

/** A file whose lines can be read more than once. */
export interface Source {
  name: string;
  lines: () => AsyncIterable<string>;
  newHash: () => Hash;
}

export interface VerifiedFile {
  head: Head;
  seal: Seal;
  workspaces: { id: string; slug: string }[];
  isVoid: (row: FileRow) => boolean;
  /** Whether a slug's row is void because a change names the slug: its workspace may have lost it. */
  isReplacedSlug: (row: FileRow) => boolean;
}

export const refusal = (message: string, field = "from"): ServiceError =>
  invalid([{ field, message, code: "format" }]);

function toHead(name: string, line: string | undefined): Head {
  const head = parseJsonObject(line ?? "");
  const version = head?.["waymark_backup"];
  if (version === undefined) throw refusal(`${name} is no backup of Waymark.`);
  if (version !== VERSION) {
    throw refusal(
      `${name} is a backup of version ${JSON.stringify(version)}; this release of Waymark reads version ${VERSION}.`,
    );
  }
  return head as unknown as Head;
}

/** Returns a function that counts the row of a line, if it is one, in `rows`. */
export function rowCounter(rows: Seal["rows"]): (line: string) => void {
  let table = "";
  return (line) => {
    if (line.startsWith("[")) rows[table] = (rows[table] ?? 0) + 1;
    else if (line.startsWith('{"table"')) table = (JSON.parse(line) as Section).table;
  };
}

/** The line after a chunk. */
export const sealedLine = (sha256: string): string => JSON.stringify({ sealed: sha256 });

/** Yields the lines, then a seal with their hash and numbers of rows. */
export async function* withSeal(lines: AsyncIterable<string>, hash: Hash): AsyncGenerator<string, Seal> {
  const rows: Seal["rows"] = {};
  const count = rowCounter(rows);
  for await (const line of lines) {
    count(line);
    hash.update(`${line}\n`);
    yield line;
  }
  const seal = { rows, sha256: hash.digest() };
  yield JSON.stringify(seal);
  return seal;
}

export const cellOf = ({ columns, values }: FileRow, name: string) => values[columns.indexOf(name)];

const ADDRESSES = [
  "destination_url",
  "ended_url",
  "preview_image_url",
  "root_url",
  "not_found_url",
  "button_url",
];

/** Where a row leads visitors. */
function addressesIn(row: FileRow): unknown[] {
  const rules = row.table === "links" ? parseJson(String(cellOf(row, "rules") ?? "[]")) : [];
  const ofRules = Array.isArray(rules)
    ? rules.map((rule: Partial<Rule> | null) => rule?.destination_url ?? "")
    : [""];
  return [...ADDRESSES.map((name) => cellOf(row, name)), ...ofRules];
}

/** The rows of a file, of one table or all. `onAgain` gets each `again` line. */
async function* readAllRows(
  source: Source,
  table: string | undefined,
  onAgain: (names: readonly string[], line: number) => void = () => undefined,
): AsyncGenerator<FileRow> {
  let section: Section | undefined;
  let number = 0;
  for await (const line of source.lines()) {
    number++;
    if (line.startsWith("[")) {
      if (section === undefined || (table !== undefined && section.table !== table)) continue;
      yield { ...section, values: JSON.parse(line) as Values, line: number };
    } else if (line.startsWith('{"table"')) section = JSON.parse(line) as Section;
    else if (line.startsWith('{"again"')) onAgain((JSON.parse(line) as { again: string[] }).again, number);
  }
}

/** The rows of a table that are not void and belong to these workspaces or to none. */
export async function* readTable(
  source: Source,
  { isVoid }: Pick<VerifiedFile, "isVoid">,
  table: string,
  workspaces: ReadonlySet<string>,
): AsyncGenerator<FileRow> {
  for await (const row of readAllRows(source, table)) {
    if ((row.workspace === null || workspaces.has(row.workspace)) && !isVoid(row)) yield row;
  }
}

/** Verifies the checksum of a file, and determines its void rows. Throws 422 on `from`. */
export async function verifyFile(source: Source): Promise<VerifiedFile> {
  const { name } = source;
  const altered = () =>
    refusal(`${name} is not as it was written: its checksum differs. Take an unchanged copy of the backup.`);
  let hash = source.newHash();
  let head: Head | undefined;
  let last: string | undefined;
  for await (const line of source.lines()) {
    head ??= toHead(name, line);
    if (last?.startsWith('{"sealed"')) {
      if (last !== sealedLine(hash.digest())) throw altered();
      hash = source.newHash();
    }
    if (last !== undefined) hash.update(`${last}\n`);
    last = line;
  }
  head ??= toHead(name, last);
  const seal = parseJsonObject(last ?? "");
  if (seal === undefined || typeof seal["sha256"] !== "string" || !isObject(seal["rows"])) {
    throw refusal(
      `${name} has no last line with its checksum: it was cut off. Take a whole copy of the backup.`,
    );
  }
  if (seal["sha256"] !== hash.digest()) throw altered();
  const again = new Map<string, number>();
  const readAgain = new Set<string>();
  const workspaces = new Map<string, string>();
  const rows = readAllRows(source, undefined, (names, line) => {
    for (const changed of names) {
      again.set(changed, line);
      readAgain.delete(changed);
    }
  });
  const counts: Record<string, number> = {};
  for await (const row of rows) {
    counts[row.table] = (counts[row.table] ?? 0) + 1;
    for (const address of addressesIn(row)) {
      if (address == null || parseDestination(String(address)) !== undefined) continue;
      throw refusal(
        `${name} leads visitors to ${JSON.stringify(String(address).slice(0, 100))}, which is no web address.`,
      );
    }
    if (row.table === "tags") {
      const tag = String(cellOf(row, "public_id"));
      if (again.has(tag)) readAgain.add(tag);
    }
    if (row.table === "workspaces")
      workspaces.set(String(cellOf(row, "public_id")), String(cellOf(row, "slug")));
  }
  // The checksum is of the lines before the last.
  if (JSON.stringify(seal["rows"]) !== JSON.stringify(counts)) {
    throw refusal(
      `${name} is not as it was written: its last line counts other rows. Take an unchanged copy of the backup.`,
    );
  }
  const isBefore = (row: FileRow, name: string): boolean =>
    row.line < (again.get(String(cellOf(row, name))) ?? 0);
  /** The code of an asset that has changed since: it may have been moved. */
  const isMovedCode = (row: FileRow): boolean => row.table === "slugs" && isBefore(row, "asset");
  const isReplacedSlug = (row: FileRow): boolean => row.table === "slugs" && isBefore(row, "key");
  const isVoid = (row: FileRow): boolean => {
    const by = Object.hasOwn(TABLES, row.table) ? TABLES[row.table as keyof typeof TABLES].changedWith : null;
    if (by === null || again.size === 0) return false;
    if (isBefore(row, by) || isReplacedSlug(row) || isMovedCode(row)) return true;
    const tag = String(cellOf(row, "tag"));
    return row.table === "link_tags" && again.has(tag) && !readAgain.has(tag);
  };
  return {
    head,
    seal: seal as unknown as Seal,
    workspaces: Array.from(workspaces, ([id, slug]) => ({ id, slug })),
    isVoid,
    isReplacedSlug,
  };
}
