import { LABEL_FIELD_NAMES, TEXT_FIELD_NAMES, TEXT_FIELDS, UTM_FIELD_NAMES } from "./link-fields";

/** The most that an import takes, and an export puts into a file that shall be imported. */
export const ROWS_A_FILE = 10_000;

/** What a column of an imported file can say of a link. */
export const IMPORT_FIELDS = [
  "slug",
  "old_slugs",
  "destination_url",
  ...LABEL_FIELD_NAMES,
  "status",
  ...UTM_FIELD_NAMES,
  "utm_campaign",
  "utm_campaign_origin",
  "activity_group",
  "tags",
] as const;

export type ImportField = (typeof IMPORT_FIELDS)[number];

/** A row's cells by what they say, trimmed; empty ones are left out. */
export type ImportedCells = Partial<Record<ImportField, string>>;

type Column = ImportField | "archived";

/**
 * The names of columns, most telling first, as this service, Bitly, Dub, Short.io, Kutt and YOURLS write them; in lower
 * case, without spaces, underscores and hyphens.
 */
const NAMES: readonly (readonly [column: Column, names: string])[] = [
  ["slug", "slug key keyword path address alias backhalf shortlink shorturl bitlink link source"],
  ["old_slugs", "oldslugs"],
  ["destination_url", "destinationurl destination longurl longlink originalurl targeturl target url"],
  ...TEXT_FIELD_NAMES.map((name) => [name, TEXT_FIELDS[name].headings] as const),
  ["status", "status"],
  ["archived", "archived isarchived"],
  ["utm_campaign", "utmcampaign"],
  ["utm_campaign_origin", "utmcampaignorigin"],
  ["activity_group", "activitygroup activitygroupid activitygroupslug group"],
  ["tags", "tags tag tagnames"],
];

/** Written beside the slug that was generated, and only where there is one. */
const CUSTOM_SLUGS = "custombackhalf customlink custombitlink custombitlinks";

/** Only this service writes it. */
const OURS = "utmcampaignorigin";
/** What this service writes beside what an import takes: of the link as it is here, or of a refused row. */
const OUR_OWN: ReadonlySet<string> = new Set(["shorturl", "createdat", "errors"]);

const plain = (name: string): string => name.toLowerCase().replace(/[\s_-]+/g, "");

export interface Columns {
  /** For each thing that a file says of its links, the columns to look in, one after the other. */
  places: ReadonlyMap<Column, readonly number[]>;
  /** The names of columns that say nothing of a link, as they are written; not this service's own. */
  ignored: readonly string[];
}

/** What the columns of a file say, by its heading. */
export function columnsOf(heading: readonly string[]): Columns {
  const written = heading.map(plain);
  const placesOf = (names: string): number[] =>
    names
      .split(" ")
      .map((name) => written.indexOf(name))
      .filter((place) => place >= 0);
  const places = new Map<Column, readonly number[]>();
  for (const [column, names] of NAMES) {
    const found = [...(column === "slug" ? placesOf(CUSTOM_SLUGS) : []), ...placesOf(names).slice(0, 1)];
    if (found.length > 0) places.set(column, found);
  }
  const used = new Set([...places.values()].flat());
  const isOurs = written.includes(OURS);
  return {
    places,
    ignored: heading.filter(
      (name, place) =>
        !used.has(place) && name.trim() !== "" && !(isOurs && OUR_OWN.has(written[place] ?? "")),
    ),
  };
}

/** How many columns of a heading say something of a link. */
export const knownColumns = (heading: readonly string[]): number => columnsOf(heading).places.size;

/** The first address in a text: its host and what stands behind. */
const ADDRESS = /^[\s"'[]*(?:https?:\/\/)?([^\s/,;"'[\]]+)\/([^\s?#,;"'\]]*)/i;

/** The slug in a cell: of a short URL its last segment, else what is written. */
export function slugIn(cell: string): string {
  const [, host = "", path = ""] = ADDRESS.exec(cell) ?? [];
  if (!host.includes(".")) return cell.replace(/^\//, "");
  return path.split("/").findLast((segment) => segment !== "") ?? "";
}

const YES = new Set(["true", "yes", "1", "archived"]);
const NO = new Set(["false", "no", "0", "active"]);

const statusIn = (archived: string): string => {
  const answer = archived.toLowerCase();
  return YES.has(answer) ? "archived" : NO.has(answer) ? "active" : archived;
};

const oneLine = (cell: string): string =>
  cell
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(" ");

/** What a row says of its link. Line breaks in a cell are spaces. */
export function cellsOf({ places }: Columns, row: readonly string[]): ImportedCells {
  const said = (column: Column): string =>
    (places.get(column) ?? []).map((place) => oneLine(row[place] ?? "")).find((cell) => cell !== "") ?? "";
  const slug = slugIn(said("slug"));
  const status = said("status") || statusIn(said("archived"));
  const cells: ImportedCells = {};
  for (const field of IMPORT_FIELDS) {
    const cell = field === "slug" ? slug : field === "status" ? status : said(field);
    if (cell !== "") cells[field] = cell;
  }
  return cells;
}
