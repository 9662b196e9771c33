import { KEY_FIELDS, LABEL_FIELDS, MOMENT_FIELDS, URL_FIELDS, UTM_FIELDS } from "../../lib/link-fields";
import type { CreateLink, Link, Tag, UpdateLink } from "../api/resources";
import type { Given, Options } from "./command";
import { tagOf } from "./find-tag";

type OptionName<Field> = Field extends `${infer Start}_${infer Rest}`
  ? `${Start}-${OptionName<Rest>}`
  : Field;

/** An option for each field of a list: `--utm-source` for `utm_source`. */
const optionsFor = <Name extends string>(
  fields: Record<Name, { summary: string }>,
  value: string,
  more = "",
) =>
  Object.fromEntries(
    Object.entries<{ summary: string }>(fields).map(([name, { summary }]) => [
      name.replaceAll("_", "-"),
      { value, description: summary + more },
    ]),
  ) as Record<OptionName<Name>, { value: string; description: string }>;

/** The fields of a link that both a creation and an update take. */
export const FIELD_OPTIONS = {
  destination: { value: "URL", description: "Where the link leads" },
  slug: { value: "SLUG", description: "The path of the short URL" },
  ...optionsFor(LABEL_FIELDS, "TEXT"),
  group: { value: "GROUP", description: "The Activity Group: a slug or ID" },
  ...optionsFor(KEY_FIELDS, "ID"),
  ...optionsFor(UTM_FIELDS, "TEXT"),
  "utm-campaign": { value: "TEXT", description: "utm_campaign; without it the group's default" },
  ...optionsFor(MOMENT_FIELDS, "TIME", ", such as 2026-06-01T08:00:00+02:00"),
  ...optionsFor(URL_FIELDS, "URL"),
} as const satisfies Options;

/** Options whose field has another name. */
const RENAMED: Readonly<Record<string, string>> = {
  destination: "destination_url",
  group: "activity_group_id",
};
/** The service refuses to clear these, and says so. */
const NEVER_NULL: ReadonlySet<string> = new Set(["destination", "slug"]);

/** The given fields. An empty text clears the field. */
export const toInput = (given: Given<typeof FIELD_OPTIONS>): UpdateLink =>
  Object.fromEntries(
    Object.entries(given).map(([name, text]) => {
      const isCleared = text.trim() === "" && !NEVER_NULL.has(name);
      return [RENAMED[name] ?? name.replaceAll("-", "_"), isCleared ? null : text];
    }),
  );

export const toNewLink = (given: Given<typeof FIELD_OPTIONS>): CreateLink => ({
  destination_url: "",
  ...toInput(given),
});

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
