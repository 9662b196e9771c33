import { stringify } from "yaml";
import { toRules } from "../../lib/visitor-rules";
import type { Link, UpdateLink } from "../api/wire-types";
import { FILE_FIELDS, isSet, shownBefore } from "./diff";
import { keyOf } from "./link-file";

/** The rules by the names of a file. */
const rulesOf = ({ rules }: Link): object[] =>
  toRules(rules).map(({ destination_url: destination, ...conditions }) => ({ destination, ...conditions }));

function shownOf(link: Link, field: keyof UpdateLink) {
  if (field === "rules") return rulesOf(link);
  const isInherited = field === "utm_campaign" && link.utm_campaign_origin !== "explicit";
  return isInherited ? null : shownBefore(link, field);
}

function entryOf(link: Link, omitted: ReadonlySet<string>): object {
  const entry: Record<string, unknown> = {};
  const utm: Record<string, unknown> = {};
  for (const [field, name] of FILE_FIELDS) {
    const value = shownOf(link, field);
    if (omitted.has(field) || !isSet(value)) continue;
    if (name.startsWith("utm.")) utm[name.slice("utm.".length)] = value;
    else entry[name] = value;
  }
  return Object.keys(utm).length === 0 ? entry : { ...entry, utm };
}

/** The text of a file for links. The key of a link is that of its external ID, else its slug, which several domains may have. */
export function toFileText(name: string, links: readonly Link[]): string {
  const hosts = new Set(links.map(({ domain }) => domain));
  const omitted = new Set(["status", ...(hosts.size > 1 ? [] : ["domain"])]);
  const used = new Set(links.map(({ external_id: id }) => keyOf(name, id)));
  const entries = new Map<string, object>();
  for (const link of links) {
    const { external_id: id, slug, domain } = link;
    const key = keyOf(name, id) ?? (used.has(slug) ? `${slug}.${domain}` : slug);
    used.add(key);
    entries.set(key, entryOf(link, omitted));
  }
  // Leaves out the conditions of rules that are not set.
  const withoutNull = (_: unknown, value: unknown) => value ?? undefined;
  return stringify({ version: 1, name, links: entries }, withoutNull, { lineWidth: 0 });
}
