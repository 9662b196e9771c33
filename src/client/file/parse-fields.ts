import {
  eachField,
  type LabelFieldName,
  MAX_TAGS_ON_LINK,
  UTM_FIELD_NAMES,
  UTM_FIELDS,
} from "../../lib/link-fields";
import { fold } from "../../lib/slug-text";
import { parseIsoMoment } from "../../lib/time";
import {
  CAMPAIGN,
  ENDED_URL,
  ENDS_AT,
  GROUP,
  INHERIT,
  LABELS,
  nameUnderUtm,
  SHARED_LABEL_NAMES,
  TAG,
  type TextRule,
  UTM,
  UTM_FIELDS_OF_FILE,
} from "./fields";
import type { Campaign, WantedFields } from "./link-file";
import type { Entry, YamlSource } from "./yaml-source";

/** The fields that a link and the defaults share. */
export type Shared = Omit<WantedFields, "slug" | "destination" | "starts_at">;

/** The entries by name. Reports unknown and repeated names. */
export function readFields<Name extends string>(
  source: YamlSource,
  entries: readonly Entry[],
  names: readonly Name[],
  where: string,
): Map<Name, Entry> {
  const fields = new Map<Name, Entry>();
  for (const entry of entries) {
    const name = names.find((known) => known === entry.key);
    if (name === undefined) source.report(entry.line, `${where}${unknownField(entry.key, names)}`);
    else if (fields.has(name)) source.report(entry.line, `${where}${name} is given twice.`);
    else fields.set(name, entry);
  }
  return fields;
}

function unknownField(name: string, known: readonly string[]): string {
  if (name === "<<") return "merge keys are not supported. Use defaults.";
  const near = known.find((one) => isNear(one, name));
  const hint = near === undefined ? `Known are ${known.join(", ")}.` : `Did you mean ${near}?`;
  return `${JSON.stringify(name)} is not known. ${hint}`;
}

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, "");

/** True for another spelling, a longer name such as destination_url, or a slip of one letter. */
function isNear(known: string, name: string): boolean {
  const [one, other] = [plain(known), plain(name)];
  if (one === other || (other.length > 3 && other.includes(one))) return true;
  let start = 0;
  while (start < one.length && one[start] === other[start]) start++;
  let end = 0;
  while (end < one.length - start && end < other.length - start && one.at(-1 - end) === other.at(-1 - end))
    end++;
  return one.length > 3 && Math.max(one.length, other.length) - start - end <= 2 && start + end > 0;
}

/** A text, null where it is cleared, undefined where it is absent or wrong. */
export function readText(
  source: YamlSource,
  entry: Entry | undefined,
  rule: TextRule,
  where: string,
): string | null | undefined {
  if (entry === undefined) return undefined;
  const value = source.scalar(entry.value);
  // The service trims every text and reads an empty one as null.
  const text = typeof value === "string" ? value.trim() || null : value;
  const refuse = (message: string) => source.report(entry.valueLine, `${where} ${message}.`);
  if (text === null) {
    if (!rule.canClear) refuse("must not be empty");
    return rule.canClear ? null : undefined;
  }
  if (typeof text !== "string") {
    // Quotes help only a value that is valid as a text.
    const hint = () => rule.problem(String(text)) ?? `must be a text. Put it in quotes: "${String(text)}"`;
    refuse(text === undefined ? "must be a text" : hint());
    return undefined;
  }
  const problem = rule.problem(text);
  if (problem !== undefined) refuse(problem);
  return problem === undefined ? text : undefined;
}

/** A moment as the service writes it. */
export function readMoment(
  source: YamlSource,
  entry: Entry | undefined,
  rule: TextRule,
  where: string,
): string | null | undefined {
  const text = readText(source, entry, rule, where);
  return typeof text === "string" ? parseIsoMoment(text) : text;
}

/** Tag names without repetitions, which the service finds without regard to case. */
function readTags(source: YamlSource, entry: Entry | undefined, where: string): string[] | undefined {
  if (entry === undefined) return undefined;
  if (source.scalar(entry.value) === null) return [];
  const items = source.items(entry.value);
  if (items === undefined) {
    source.report(entry.valueLine, `${where} must be a list of names.`);
    return undefined;
  }
  const names = new Map<string, string>();
  for (const { value, line } of items) {
    const item = { key: "", line, value, valueLine: line };
    const name = readText(source, item, { ...TAG, canClear: false }, where);
    if (typeof name === "string" && !names.has(fold(name))) names.set(fold(name), name);
  }
  if (names.size > MAX_TAGS_ON_LINK) {
    source.report(entry.valueLine, `${where} must not have more than ${MAX_TAGS_ON_LINK} tags.`);
    return undefined;
  }
  return [...names.values()];
}

const INHERITED: Campaign = { kind: "inherit" };

/** A service that clears a campaign falls back to the group's, so null means inherit. */
const toCampaign = (text: string | null): Campaign =>
  text === null || text === INHERIT ? INHERITED : { kind: "give", value: text };

function readUtm(source: YamlSource, entry: Entry | undefined, where: string): Shared {
  if (entry === undefined) return {};
  if (source.scalar(entry.value) === null) {
    return { ...eachField(UTM_FIELDS, () => null), utm_campaign: INHERITED };
  }
  const entries = source.entries(entry.value);
  if (entries === undefined) {
    source.report(entry.valueLine, `${where} must be a mapping with ${UTM_FIELDS_OF_FILE.join(", ")}.`);
    return {};
  }
  const fields = readFields(source, entries, UTM_FIELDS_OF_FILE, `${where}.`);
  const read = (name: string, rule: TextRule) => readText(source, fields.get(name), rule, `${where}.${name}`);
  const shared: Shared = {};
  for (const name of UTM_FIELD_NAMES) {
    const value = read(nameUnderUtm(name), UTM[name]);
    if (value !== undefined) shared[name] = value;
  }
  const campaign = read("campaign", CAMPAIGN);
  return { ...shared, ...(campaign !== undefined && { utm_campaign: toCampaign(campaign) }) };
}

/** The given ones of these plain texts. */
export function readLabels(
  source: YamlSource,
  fields: ReadonlyMap<string, Entry>,
  names: readonly LabelFieldName[],
  where: string,
): Shared {
  const labels: Shared = {};
  for (const name of names) {
    const value = readText(source, fields.get(name), LABELS[name], `${where}${name}`);
    if (value !== undefined) labels[name] = value;
  }
  return labels;
}

type SharedName = "group" | "tags" | "utm" | "ends_at" | "ended_url";

export function readShared(source: YamlSource, fields: ReadonlyMap<string, Entry>, where: string): Shared {
  const entry = (name: SharedName) => fields.get(name);
  const group = readText(source, entry("group"), GROUP, `${where}group`);
  const tags = readTags(source, entry("tags"), `${where}tags`);
  const endsAt = readMoment(source, entry("ends_at"), ENDS_AT, `${where}ends_at`);
  const endedUrl = readText(source, entry("ended_url"), ENDED_URL, `${where}ended_url`);
  return {
    ...readLabels(source, fields, SHARED_LABEL_NAMES, where),
    ...(group !== undefined && { group }),
    ...(tags !== undefined && { tags }),
    ...(endsAt !== undefined && { ends_at: endsAt }),
    ...(endedUrl !== undefined && { ended_url: endedUrl }),
    ...readUtm(source, entry("utm"), `${where}utm`),
  };
}
