import type { LinkFilter, Waymark } from "../api/types";
import type { Args, Options } from "./args";
import { findGroup, tagOf } from "./find-tag";
import { UsageError } from "./usage-error";

const STATUSES = ["active", "archived", "all"] as const;
const SORTS = ["-created_at", "created_at", "-updated_at", "updated_at", "slug", "title"] as const;

/** The parameters of the interface's list. */
export const FILTER_OPTIONS = {
  tag: { value: "TAG", repeat: true, description: "Has the tag: a name, slug or ID" },
  group: { value: "GROUP", description: "Is in the Activity Group: a slug or ID" },
  channel: { value: "TEXT", description: "Has the channel" },
  status: { value: "STATUS", choices: STATUSES, description: "Status, active by default" },
  slug: { value: "SLUG", repeat: true, description: "Is opened by one of the slugs, current or old" },
  "external-id": { value: "ID", repeat: true, description: "Has one of the external IDs" },
  "external-id-prefix": { value: "TEXT", description: "Has an external ID that begins so" },
  q: { value: "TEXT", description: "Has the text in its slug, title or destination" },
  sort: { value: "ORDER", choices: SORTS, description: "Order, -created_at by default" },
} as const satisfies Options;

type FilterName = keyof typeof FILTER_OPTIONS;

const TEXTS = ["channel", "status", "external-id-prefix", "q", "sort"] as const;
const LISTS = ["slug", "external-id"] as const;

/** The service ignores an empty filter, and would give every link. */
function assertNoneEmpty(args: Args<FilterName>): void {
  for (const name of Object.keys(FILTER_OPTIONS) as FilterName[]) {
    if (args.texts(name).some((text) => text.trim() === "")) throw new UsageError(`--${name} is empty.`);
  }
}

const SLUG_OR_ID = /^[a-z0-9-]+$|^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** The filter of the options. Names of tags cost a call, their slugs and IDs do not. */
export async function toFilter(client: Waymark, args: Args<FilterName>): Promise<LinkFilter> {
  assertNoneEmpty(args);
  const given = [...TEXTS, ...LISTS].filter((name) => args.has(name));
  const filter: Record<string, string | readonly string[]> = Object.fromEntries(
    given.map((name) => [
      name.replaceAll("-", "_"),
      (LISTS as readonly string[]).includes(name) ? args.texts(name) : (args.text(name) ?? ""),
    ]),
  );
  const tags = args.texts("tag");
  if (tags.some((tag) => !SLUG_OR_ID.test(tag))) {
    const known = await client.tags.list();
    filter["tag"] = tags.map((tag) => tagOf(known, tag).id);
  } else if (tags.length > 0) filter["tag"] = tags;
  const group = args.text("group");
  return { ...filter, ...(group === undefined ? {} : { activity_group_id: group }) };
}

/** The service answers a filter by an unknown tag or group with an empty list. Throws for one. */
export async function assertNamesExist(client: Waymark, args: Args<FilterName>): Promise<void> {
  const [tags, group] = [args.texts("tag"), args.text("group")];
  if (group !== undefined) await findGroup(client, group);
  if (tags.length === 0) return;
  const known = await client.tags.list();
  for (const tag of tags) tagOf(known, tag);
}
