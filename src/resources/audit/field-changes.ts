import { describeConventions } from "../../lib/conventions";
import { parseJsonObject } from "../../lib/json";
import { isoTime } from "../../lib/time";
import { describeRule, type Rule, toRules } from "../../lib/visitor-rules";

/** One field of a change, for display. `was` or `is` is undefined if the entry does not have it. */
interface FieldChange {
  field: string;
  was?: string | null;
  is?: string | null;
  changed?: readonly string[];
}

type Json = Readonly<Record<string, unknown>>;

/** What an entry stores as JSON; empty for anything but an object. */
export const parseObject = (json: string | null): Json => parseJsonObject(json ?? "") ?? {};

/** Fields that describe the entry rather than its subject. */
const NO_FIELD: ReadonlySet<string> = new Set([
  "id",
  "workspace",
  "utm_campaign_origin",
  "reverted",
  "again",
]);
const NAMES_OTHERS: ReadonlySet<string> = new Set(["activity_group_id", "link", "tag_id", "into"]);
const MAX_DATE_MS = 8.64e15;

export function toNamedIds(before: Json, change: Json): string[] {
  return [before, change].flatMap((values) =>
    Object.entries(values).flatMap(([field, value]) => {
      if (typeof value === "string") return NAMES_OTHERS.has(field) ? [value] : [];
      return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
    }),
  );
}

/** The tags that an entry names, which may have been deleted since. */
export const toTagIds = (before: Json, change: Json): string[] =>
  [before, change].flatMap(({ tag_ids: all, tag_id: one, into }) =>
    [listIn(all), one, into].flat().filter((id) => typeof id === "string"),
  );

type NameOf = (id: string) => string;

/** Rows have times in milliseconds, requests in ISO 8601. Other values stay as they are. */
const timeOf = (field: string, value: unknown): unknown =>
  typeof value === "number" && field.endsWith("_at") && Math.abs(value) <= MAX_DATE_MS
    ? isoTime(value)
    : value;

function textOf(field: string, stored: unknown, nameOf: NameOf): string | null {
  const value = timeOf(field, stored);
  if (value === null || value === undefined || value === "") return null;
  if (Array.isArray(value)) {
    if (value.length === 0) return null;
    if (field === "rules") return toRules(value).map(describeRule).join("; ");
    return value.map((item) => (typeof item === "string" ? nameOf(item) : JSON.stringify(item))).join(", ");
  }
  if (typeof value === "string") return NAMES_OTHERS.has(field) ? nameOf(value) : value;
  if (field === "conventions") return describeConventions(value) || null;
  return JSON.stringify(value);
}

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The items that only one of two lists has; undefined if neither is a list. */
function changedItems(was: unknown, is: unknown, nameOf: NameOf): string[] | undefined {
  if (!Array.isArray(was) && !Array.isArray(is)) return undefined;
  const [before, after] = [listIn(was), listIn(is)];
  const changed = [
    ...after.filter((item) => !before.includes(item)),
    ...before.filter((item) => !after.includes(item)),
  ];
  return changed.filter((item) => typeof item === "string").map(nameOf);
}

const without = (list: unknown, item: unknown): unknown[] =>
  Array.isArray(list) ? list.filter((other) => other !== item) : [];

/** A start or end that is a day, in place of its time. */
const withDays = ({ starts_on: start, ends_on: end, ...values }: Json): Json => ({
  ...values,
  ...(start != null && { starts_at: start }),
  ...(end != null && { ends_at: end }),
});

/** Normalises both sides to the same fields, such as a link's status and full list of tags. */
function inTermsOfBefore(action: string, before: Json, change: Json): [before: Json, change: Json] {
  const { archived_at: archivedAt, ...was } = before;
  const normalised =
    "archived_at" in before ? { ...was, status: archivedAt === null ? "active" : "archived" } : before;
  if (action === "link.attach_tags" && Array.isArray(before["tag_ids"]) && Array.isArray(change["tag_ids"])) {
    return [normalised, { tag_ids: [...new Set([...before["tag_ids"], ...change["tag_ids"]])] }];
  }
  if (action === "link.detach_tag")
    return [normalised, { tag_ids: without(before["tag_ids"], change["tag_id"]) }];
  if (action === "link.merge_tag") {
    const others = without(before["tag_ids"], change["tag_id"]);
    return [normalised, { tag_ids: [...new Set([...others, change["into"]])] }];
  }
  if (action.startsWith("group.")) return [withDays(normalised), withDays(change)];
  if (action === "key.create") {
    const { created_at: _, ...view } = change;
    return [normalised, view];
  }
  if (action === "key.rotate") {
    // The new key has the name of the old one, and an entry of its own.
    const { was: endedAt, into: _, ...becomes } = change;
    return [{ expires_at: endedAt }, becomes];
  }
  if (action === "member.change_role") {
    return [
      { email: change["email"], role: change["was"] },
      { email: change["email"], role: change["role"] },
    ];
  }
  return [normalised, change];
}

/** A value as JSON, in one form for both sides of an entry: a time as ISO 8601, the tags in the order of their ids. */
function comparable(field: string, value: unknown): string {
  if (field === "tag_ids") return JSON.stringify(listIn(value).toSorted());
  if (field === "rules") return JSON.stringify(toRules(listIn(value) as Rule[]));
  const isNothing = value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
  return JSON.stringify(isNothing ? null : timeOf(field, value));
}

/** The fields that an audit entry changes, or all fields of a creation or deletion. */
export function toFieldChanges(action: string, before: Json, change: Json, nameOf: NameOf): FieldChange[] {
  const [was, is] = inTermsOfBefore(action, before, change);
  const hasBefore = Object.keys(was).length > 0;
  const hasChange = Object.keys(is).length > 0;
  const fields = Object.keys(hasChange ? is : was).filter((field) => !NO_FIELD.has(field));
  return fields.flatMap((field): FieldChange[] => {
    const old = textOf(field, was[field], nameOf);
    const next = textOf(field, is[field], nameOf);
    const changed = field === "rules" ? undefined : changedItems(was[field], is[field], nameOf);
    const items = changed && { changed };
    if (!hasBefore) return next === null ? [] : [{ field, is: next }];
    if (!hasChange) return old === null ? [] : [{ field, was: old }];
    if (!(field in was)) return [{ field, is: next, ...items }];
    if (comparable(field, was[field]) === comparable(field, is[field])) return [];
    const isNamesake = old === next && NAMES_OTHERS.has(field);
    return isNamesake
      ? [{ field, was: `${old} (${was[field]})`, is: `${next} (${is[field]})` }]
      : [{ field, was: old, is: next, ...items }];
  });
}
