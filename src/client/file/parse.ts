import { foldSlug } from "../../lib/slug-text";
import {
  DEFAULT_FIELDS,
  DESTINATION,
  endProblem,
  FILE_FIELDS,
  KEY_PATTERN,
  KEY_RULE,
  LINK_FIELDS,
  MAX_FILE_BYTES,
  MAX_LINKS,
  NAME,
  ON_REMOVED,
  OWN_LABEL_NAMES,
  SLUG,
  STARTS_AT,
  VERSION,
} from "./fields";
import { type LinkFile, type OnRemoved, type Problem, REMOVALS, type WantedLink } from "./link-file";
import { readFields, readLabels, readMoment, readShared, readText, type Shared } from "./parse-fields";
import { type Entry, readYaml, type YamlSource } from "./yaml-source";

type Parsed = { ok: true; file: LinkFile } | { ok: false; problems: readonly Problem[] };

/** Parses and checks a file without the network. Returns all its problems, by line. */
export function parseFile(text: string): Parsed {
  if (new TextEncoder().encode(text).length > MAX_FILE_BYTES) {
    return {
      ok: false,
      problems: [{ line: 1, message: `The file must not be larger than ${MAX_FILE_BYTES} bytes.` }],
    };
  }
  const { problems, value: file } = readYaml(text, readFile);
  return problems.length > 0 || file === undefined ? { ok: false, problems } : { ok: true, file };
}

function readFile(source: YamlSource): LinkFile | undefined {
  const entries = source.entries(source.root);
  if (entries === undefined) {
    source.report(1, `The file must be a mapping with ${FILE_FIELDS.join(", ")}.`);
    return undefined;
  }
  const fields = readFields(source, entries, FILE_FIELDS, "");
  checkVersion(source, fields.get("version"));
  const name = readRequired(source, fields.get("name"), "name");
  const onRemoved = readText(source, fields.get("on_removed"), ON_REMOVED, "on_removed");
  const defaults = readDefaults(source, fields.get("defaults"));
  const links = readLinks(source, fields.get("links"), defaults);
  if (typeof name !== "string") return undefined;
  return { name, onRemoved: REMOVALS.find((one) => one === onRemoved) ?? DEFAULT_REMOVAL, links };
}

const DEFAULT_REMOVAL: OnRemoved = "archive";

function checkVersion(source: YamlSource, entry: Entry | undefined): void {
  if (entry === undefined) source.report(1, `version is required: write "version: ${VERSION}".`);
  else if (source.scalar(entry.value) !== VERSION) {
    source.report(entry.valueLine, `version must be ${VERSION}, the only one that this program knows.`);
  }
}

function readRequired(source: YamlSource, entry: Entry | undefined, name: string): string | null | undefined {
  if (entry === undefined) source.report(1, `${name} is required.`);
  return readText(source, entry, NAME, name);
}

interface Defaults {
  fields: Shared;
  groupLine?: number | undefined;
}

function readDefaults(source: YamlSource, entry: Entry | undefined): Defaults {
  if (entry === undefined || source.scalar(entry.value) === null) return { fields: {} };
  const entries = source.entries(entry.value);
  if (entries === undefined) {
    source.report(entry.line, `defaults must be a mapping with ${DEFAULT_FIELDS.join(", ")}.`);
    return { fields: {} };
  }
  const fields = readFields(source, entries, DEFAULT_FIELDS, "defaults.");
  return { fields: readShared(source, fields, "defaults."), groupLine: fields.get("group")?.valueLine };
}

function readLinks(source: YamlSource, entry: Entry | undefined, defaults: Defaults): WantedLink[] {
  if (entry === undefined) {
    source.report(1, "links is required.");
    return [];
  }
  const entries = source.entries(entry.value);
  if (entries === undefined) {
    // A file that was cut here would otherwise remove every link.
    source.report(entry.line, "links must be a mapping of keys to links. For no links write {}.");
    return [];
  }
  if (entries.length > MAX_LINKS) {
    source.report(entry.line, `links must not have more than ${MAX_LINKS} links.`);
    return [];
  }
  const taken: Taken = { keys: new Map(), slugs: new Map() };
  return entries.flatMap((link) => readLink(source, link, defaults, taken) ?? []);
}

/** The lines of keys and slugs that are in use. */
interface Taken {
  keys: Map<string, number>;
  slugs: Map<string, number>;
}

function readLink(
  source: YamlSource,
  entry: Entry,
  defaults: Defaults,
  taken: Taken,
): WantedLink | undefined {
  const { key, line } = entry;
  checkKey(source, entry, taken);
  const entries = source.entries(entry.value);
  if (entries === undefined) {
    source.report(line, `${key}: must be a mapping with at least a destination.`);
    return undefined;
  }
  const where = `${key}: `;
  const fields = readFields(source, entries, LINK_FIELDS, where);
  if (!fields.has("destination")) source.report(line, `${where}destination is required.`);
  const destination = readText(source, fields.get("destination"), DESTINATION, `${where}destination`);
  const slug = readText(source, fields.get("slug"), SLUG, `${where}slug`);
  const labels = readLabels(source, fields, OWN_LABEL_NAMES, where);
  const shared = readShared(source, fields, where);
  const startsAt = readMoment(source, fields.get("starts_at"), STARTS_AT, `${where}starts_at`);
  const endLine = (fields.get("ends_at") ?? fields.get("starts_at"))?.valueLine ?? line;
  // A wrong end does not fall back to the default.
  const endsAt = fields.has("ends_at") ? shared.ends_at : defaults.fields.ends_at;
  const fault = endProblem(startsAt, endsAt);
  if (fault !== undefined) source.report(endLine, `${where}ends_at ${fault}.`);
  if (typeof slug === "string")
    claim(source, taken.slugs, foldSlug(slug), fields.get("slug"), `${where}slug "${slug}"`);
  if (typeof destination !== "string") return undefined;
  return {
    key,
    line,
    groupLine: fields.get("group")?.valueLine ?? defaults.groupLine ?? line,
    endLine,
    fields: {
      ...(typeof slug === "string" && { slug }),
      destination,
      ...labels,
      ...(startsAt !== undefined && { starts_at: startsAt }),
      ...defaults.fields,
      ...shared,
    },
  };
}

function checkKey(source: YamlSource, entry: Entry, { keys }: Taken): void {
  const { key, line } = entry;
  if (!KEY_PATTERN.test(key)) {
    source.report(line, `${JSON.stringify(key)}: a key ${KEY_RULE}.`);
    return;
  }
  // Files of QR codes are named by key, and some file systems ignore case.
  claim(source, keys, key.toLowerCase(), entry, `The key "${key}"`);
}

function claim(
  source: YamlSource,
  taken: Map<string, number>,
  name: string,
  entry: Entry | undefined,
  what: string,
) {
  const first = taken.get(name);
  const line = entry?.line ?? 1;
  if (first === undefined) taken.set(name, line);
  else source.report(line, `${what} is already used in line ${first}, without regard to case.`);
}
