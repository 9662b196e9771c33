import {
  FORM_FIELD_NAMES,
  FORM_FIELDS,
  KEY_FIELD_NAMES,
  LABEL_FIELD_NAMES,
  TEXT_FIELD_NAMES,
  TEXT_FIELDS,
  UTM_DETAIL_NAMES,
  UTM_FIELD_NAMES,
  WINDOW_FIELD_NAMES,
  WINDOW_FIELDS,
} from "./link-fields";
import { addressesIn } from "./short-url";
import { unaccented } from "./slug-text";

/** Limit of an import, and of an export that can be imported again. */
export const MAX_ROWS_PER_FILE = 10_000;

export const EXPORT_COLUMNS = [
  "slug",
  "old_slugs",
  "short_url",
  "domain",
  "destination_url",
  ...LABEL_FIELD_NAMES,
  "status",
  ...KEY_FIELD_NAMES,
  ...UTM_FIELD_NAMES,
  "utm_campaign",
  "utm_campaign_origin",
  ...UTM_DETAIL_NAMES,
  "activity_group",
  "tags",
  ...WINDOW_FIELD_NAMES,
  "rules",
  ...FORM_FIELD_NAMES,
  "created_at",
  "clicks_before",
] as const;

/** Further columns of the export of a list: all visits so far. */
export const VISIT_COLUMNS = ["clicks", "scans"] as const;

type ExportColumn = (typeof EXPORT_COLUMNS)[number];

/** The service makes the short URL itself. */
export type ImportField = Exclude<ExportColumn, "short_url">;

export const IMPORT_FIELDS = EXPORT_COLUMNS.filter((column): column is ImportField => column !== "short_url");

/** The trimmed cells of a row by field, without empty ones but for those that clear a field. */
export type ImportedCells = Partial<Record<ImportField, string>>;

type Column = ImportField | "archived" | "short_url";

/** What other services call the time when they made a link, and its clicks so far. A file may have several of them. */
const CREATED_NAMES = "createdat created createdon createdate createddate datecreated creationdate timestamp";
const CLICKS_NAMES = "clicksbefore totalclicks clicks totalvisits visitscount visitcount visits hits";

/**
 * Column names of this service, Bitly, Rebrandly, Short.io, Shlink, Dub, Kutt and YOURLS, most specific first, then those that
 * people write in German, French, Spanish and Italian. Without accents, spaces, underscores, hyphens and points.
 */
const NAMES: readonly (readonly [column: Column, names: string])[] = [
  [
    "slug",
    "slug slashtag shortcode key keyword path address alias backhalf shortlink shorturl bitlink link source kurzlink kurzurl kurzadresse kurzel lienabrege liencourt urlcourte enlacecorto urlcorta linkbreve urlbreve",
  ],
  ["old_slugs", "oldslugs"],
  ["short_url", "shorturl shortlink bitlink link"],
  ["domain", "domain domainfullname domainname"],
  [
    "destination_url",
    "destinationurl destination longurl longlink originalurl targeturl target url zielurl zieladresse zielseite ziel adresse webadresse urldedestination urlcible cible urllongue urldedestino destino urllarga urldidestinazione destinazione urllunga indirizzo direccion",
  ],
  ...TEXT_FIELD_NAMES.map((name) => [name, TEXT_FIELDS[name].headings] as const),
  ...WINDOW_FIELD_NAMES.map((name) => [name, WINDOW_FIELDS[name].headings] as const),
  ...FORM_FIELD_NAMES.map((name) => [name, FORM_FIELDS[name].headings] as const),
  ["status", "status"],
  ["archived", "archived isarchived"],
  ["utm_campaign", "utmcampaign"],
  ["utm_campaign_origin", "utmcampaignorigin"],
  ["activity_group", "activitygroup activitygroupid activitygroupslug group gruppe groupe grupo gruppo"],
  ["tags", "tags tag tagnames schlagworte schlagworter stichworte etiquettes motscles etiquetas etichette"],
  ["rules", "rules"],
  ["created_at", CREATED_NAMES],
  ["clicks_before", CLICKS_NAMES],
];

/** Bitly's column for a custom slug, which is empty for a generated one. */
const CUSTOM_SLUGS = "custombackhalf customlink custombitlink custombitlinks";

const OURS = "utmcampaignorigin";

const plain = (name: string): string => unaccented(name).replace(/[\s._-]+/g, "");

/** The column that the service adds to refused rows. */
export const REASONS_COLUMN = "errors";

/** Further columns of this service's files, which an import ignores. What it has counted is not from before a move. */
const OUR_OWN: ReadonlySet<string> = new Set(VISIT_COLUMNS);

/** Columns of files of other services that no field of a link takes. */
const LEFT_OUT: ReadonlySet<string> = new Set(
  `${CREATED_NAMES} ${CLICKS_NAMES} uniqueclicks scans createdby updated updatedat lastclicked ip qrcode`.split(
    " ",
  ),
);

/** Whether a column is known to have no field, or has no name. */
export const isLeftOut = (name: string): boolean => name.trim() === "" || LEFT_OUT.has(plain(name));

export interface Columns {
  /** Column indexes by field, in order of preference. */
  places: ReadonlyMap<Column, readonly number[]>;
  /** Whether a domain that the workspace does not have is an error. Other services export domains of their own. */
  hasOurDomains: boolean;
  /** Whether the column at an index is unknown, with a name or without. */
  isUnknown: (place: number) => boolean;
  ignored: readonly string[];
}

/** Unknown columns by their index, with the fields that a person has matched them to. */
export type MatchedColumns = ReadonlyMap<number, ImportField>;

/** Maps a heading to fields. A column that is known by its name stays what it is. */
export function columnsOf(
  heading: readonly string[],
  matched: MatchedColumns = new Map<number, ImportField>(),
): Columns {
  const written = heading.map(plain);
  const placesOf = (names: string): number[] =>
    names
      .split(" ")
      .map((name) => written.indexOf(name))
      .filter((place) => place >= 0);
  const isOurs = written.includes(OURS);
  const isIgnored = (place: number) =>
    heading[place] === REASONS_COLUMN || (isOurs && OUR_OWN.has(written[place] ?? ""));
  const places = new Map<Column, readonly number[]>();
  const used = new Set<number>();
  for (const [column, names] of NAMES) {
    const all = [...(column === "slug" ? placesOf(CUSTOM_SLUGS) : []), ...placesOf(names).slice(0, 1)];
    const found = all.filter((place) => !used.has(place) && !isIgnored(place));
    if (found.length > 0) places.set(column, found);
    for (const place of found) used.add(place);
  }
  for (const [place, field] of matched) {
    if (place >= heading.length || used.has(place) || places.has(field)) continue;
    places.set(field, [place]);
    used.add(place);
  }
  const isUnknown = (place: number) => !used.has(place) && !isIgnored(place);
  return {
    places,
    hasOurDomains: heading.includes("destination_url"),
    isUnknown,
    ignored: heading.filter((name, place) => name.trim() !== "" && isUnknown(place)),
  };
}

export const knownColumns = (heading: readonly string[]): number => columnsOf(heading).places.size;

/** Fields that an empty cell leaves as they are, where a file updates links. It clears the others. */
const NEVER_CLEARED: ReadonlySet<string> = new Set<ImportField>([
  ...(["slug", "old_slugs", "domain", "destination_url", "status", "utm_campaign_origin"] as const),
  ...(["created_at", "clicks_before"] as const),
]);

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

/**
 * The cells of a row by field. Line breaks in a cell become spaces, but for the note. `isOwnHost` tells whether the workspace
 * has short links on a host: those in short URLs of the row name its domain. With `keepsEmpty`, empty cells that clear a field
 * stay.
 */
export function cellsOf(
  { places, hasOurDomains }: Columns,
  row: readonly string[],
  isOwnHost: (host: string) => boolean,
  keepsEmpty = false,
): ImportedCells {
  const read = (column: Column, cell: string) => (column === "note" ? cell.trim() : oneLine(cell));
  const said = (column: Column): string =>
    (places.get(column) ?? []).map((place) => read(column, row[place] ?? "")).find((cell) => cell !== "") ??
    "";
  const [first, ...others] = addressesIn(said("slug"));
  const hosts = [said("domain"), first?.host, addressesIn(said("short_url"))[0]?.host];
  const domain =
    (hasOurDomains && said("domain")) || hosts.find((host) => host !== undefined && isOwnHost(host)) || "";
  const old = others.map(({ host, slug }) =>
    host !== undefined && host !== domain && isOwnHost(host) ? `${host}/${slug}` : slug,
  );
  const own: ImportedCells = {
    slug: first?.slug ?? "",
    // Further short URLs of the link go on leading to it.
    old_slugs: [said("old_slugs"), ...old].join(" ").trim(),
    domain,
    status: said("status") || statusIn(said("archived")),
  };
  const cells: ImportedCells = {};
  for (const field of IMPORT_FIELDS) {
    const cell = own[field] ?? said(field);
    const clears = keepsEmpty && places.has(field) && !NEVER_CLEARED.has(field);
    if (cell !== "" || clears) cells[field] = cell;
  }
  return cells;
}
