import { KEY_FIELDS, LABEL_FIELDS, UTM_FIELDS } from "../../lib/link-fields";
import type { CreateLink, Link, Tag, UpdateLink } from "../api/resources";
import type { Args, Options } from "./args";
import { tagOf } from "./find-tag";

type OptionName<Field> = Field extends `${infer Start}_${infer Rest}`
  ? `${Start}-${OptionName<Rest>}`
  : Field;

/** An option for each plain text: `--utm-source` for `utm_source`. */
const textOptions = <Name extends string>(fields: Record<Name, { summary: string }>, value: string) =>
  Object.fromEntries(
    Object.entries<{ summary: string }>(fields).map(([name, { summary }]) => [
      name.replaceAll("_", "-"),
      { value, description: summary },
    ]),
  ) as Record<OptionName<Name>, { value: string; description: string }>;

/** The fields of a link that both a creation and an update take. */
export const FIELD_OPTIONS = {
  destination: { value: "URL", description: "Where the link leads" },
  slug: { value: "SLUG", description: "The path of the short URL" },
  ...textOptions(LABEL_FIELDS, "TEXT"),
  group: { value: "GROUP", description: "The Activity Group: a slug or ID" },
  ...textOptions(KEY_FIELDS, "ID"),
  ...textOptions(UTM_FIELDS, "TEXT"),
  "utm-campaign": { value: "TEXT", description: "utm_campaign; without it the group's default" },
  "starts-at": { value: "TIME", description: "When the link opens, such as 2026-06-01T08:00:00+02:00" },
  "ends-at": { value: "TIME", description: "When the link ends, after its start" },
  "ended-url": { value: "URL", description: "Where the link leads after its end" },
} as const satisfies Options;

type FieldOption = keyof typeof FIELD_OPTIONS;

/** Options whose field has another name. */
const RENAMED: Partial<Record<FieldOption, string>> = {
  destination: "destination_url",
  group: "activity_group_id",
};
/** The service refuses to clear these, and says so. */
const NEVER_NULL: ReadonlySet<string> = new Set(["destination", "slug"]);

/** The given fields. An empty text clears the field. */
export function toInput(args: Args<FieldOption>): UpdateLink {
  const names = (Object.keys(FIELD_OPTIONS) as FieldOption[]).filter((name) => args.has(name));
  const entries = names.map((name) => {
    const text = args.text(name) ?? "";
    const isCleared = text.trim() === "" && !NEVER_NULL.has(name);
    return [RENAMED[name] ?? name.replaceAll("-", "_"), isCleared ? null : text];
  });
  return Object.fromEntries(entries);
}

export const toNewLink = (args: Args<FieldOption>): CreateLink => {
  const { destination_url: destination = "", slug, ...rest } = toInput(args);
  return { destination_url: destination, ...(slug === undefined ? {} : { slug }), ...rest };
};

/** Which tags to add and to take off. */
export interface TagChange {
  add: readonly Tag[];
  remove: readonly Tag[];
  removeAll?: boolean;
}

export const toTagChange = (
  tags: readonly Tag[],
  add: readonly string[],
  remove: readonly string[],
): TagChange => ({
  add: add.map((name) => tagOf(tags, name)),
  remove: remove.map((name) => tagOf(tags, name)),
});

/** The IDs of all tags after the change; undefined if the link has them already. */
export function tagIdsAfter(link: Link, { add, remove, removeAll = false }: TagChange): string[] | undefined {
  const before = new Set(link.tags.map(({ id }) => id));
  const after = new Set(removeAll ? [] : before);
  for (const { id } of remove) after.delete(id);
  for (const { id } of add) after.add(id);
  const isSame = after.size === before.size && [...after].every((id) => before.has(id));
  return isSame ? undefined : [...after];
}
