import { isMap, parseDocument, stringify } from "yaml";
import { toRules } from "../../lib/rules";
import type { Link } from "../api/resources";
import { Refusal } from "../exit";
import { FILE_FIELDS } from "./diff";
import { keyOf, type LinkFile } from "./link-file";
import { KEY_PATTERN } from "./schema";

/** The text of a file without links. */
export const emptyFile = (name: string): string => stringify({ version: 1, name, links: {} });

/** The rules by the names of a file, without conditions that are not set. */
const rulesOf = ({ rules }: Link): object[] =>
  toRules(rules).map(({ destination_url: destination, ...conditions }) => {
    const set = Object.entries(conditions).filter(([, value]) => value !== null);
    return { destination, ...Object.fromEntries(set) };
  });

function shownValue(link: Link, field: (typeof FILE_FIELDS)[number][0]): unknown {
  if (field === "rules") return rulesOf(link);
  if (field === "activity_group_id") return link.activity_group?.slug ?? null;
  if (field === "tag_names" || field === "tag_ids") return link.tags.map(({ name }) => name);
  if (field === "utm_campaign")
    return link.utm_campaign_origin === "explicit" ? link.utm_campaign : "inherit";
  // An older service may lack the field.
  return link[field] ?? null;
}

/** The value that a field has without an entry. */
const isUnset = (field: string, value: unknown): boolean =>
  value === null ||
  (field === "utm_campaign" ? value === "inherit" : Array.isArray(value) && value.length === 0);

/** What a file says of a link as it is. A field of the defaults is said too, so that they do not change it. */
function entryOf(link: Link, shared: ReadonlySet<string>, withDomain: boolean): Record<string, unknown> {
  const entry: Record<string, unknown> = {};
  for (const [field, name] of FILE_FIELDS) {
    if (field === "status" || (field === "domain" && !withDomain && !shared.has(field))) continue;
    const value = shownValue(link, field);
    if (isUnset(field, value) && !shared.has(field)) continue;
    const [first = "", second] = name.split(".");
    if (second === undefined) entry[first] = value;
    else entry[first] = { ...(entry[first] as object | undefined), [second]: value };
  }
  return entry;
}

/** Entries for links, by keys that the file does not have yet: that in the external ID, else the slug. */
export function entriesFor(file: Pick<LinkFile, "name" | "links" | "shared">, links: readonly Link[]) {
  const used = new Set(file.links.map(({ key }) => key.toLowerCase()));
  const hosts = new Set([
    ...links.map(({ domain }) => domain),
    ...file.links.flatMap(({ fields }) => fields.domain ?? []),
  ]);
  return links.map((link) => {
    const own = keyOf(file.name, link.external_id) ?? "";
    const wanted = KEY_PATTERN.test(own) ? own : link.slug;
    let key = wanted;
    // A slug has no dot.
    for (let number = 2; used.has(key.toLowerCase()); number++) key = `${wanted}.${number}`;
    used.add(key.toLowerCase());
    return { key, link, entry: entryOf(link, file.shared, hosts.size > 1) };
  });
}

/** The text of a file with further entries. Everything else stays as people wrote it. */
export function addEntries(text: string, entries: ReturnType<typeof entriesFor>): string {
  const links = parseDocument(text).get("links");
  if (!isMap(links) || links.range == null) throw new Refusal("The file has no mapping of links.");
  const [first] = links.items;
  if (first !== undefined && links.flow) {
    throw new Refusal(
      "The links of the file are in braces. Write each on lines of its own, so that others can be added.",
    );
  }
  const [start, end] = links.range;
  const before = text.slice(0, start).trimEnd();
  const indent = first === undefined ? "  " : (/[^\n]*$/.exec(text.slice(0, start))?.[0] ?? "");
  const block = stringify(Object.fromEntries(entries.map(({ key, entry }) => [key, entry])), {
    lineWidth: 0,
  });
  const lines = block.replaceAll(/^(?=.)/gm, () => indent);
  if (first === undefined) return `${before}\n${lines}${text.slice(end).replace(/^[^\n]*\n?/, "")}`;
  const last = text.slice(0, end).trimEnd().length;
  const next = text.indexOf("\n", last);
  const place = next === -1 ? text.length : next + 1;
  return `${text.slice(0, place)}${next === -1 ? "\n" : ""}${lines}${text.slice(place)}`;
}
