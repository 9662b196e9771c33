import type { LinkFilter, Waymark } from "../api/resources";
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
  "external-id-prefix": { value: "TEXT", description: "Has an external ID that starts with TEXT" },
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

/** The filter of the options. Throws for a tag or group that the workspace does not have, because the service would answer with an empty list. */
export async function toFilter(client: Waymark, args: Args<FilterName>): Promise<LinkFilter> {
  assertNoneEmpty(args);
  const given = [...TEXTS, ...LISTS].filter((name) => args.has(name));
  const filter: Record<string, string | readonly string[]> = Object.fromEntries(
    given.map((name) => [
      name.replaceAll("-", "_"),
      (LISTS as readonly string[]).includes(name) ? args.texts(name) : (args.text(name) ?? ""),
    ]),
  );
  const [tags, group] = [args.texts("tag"), args.text("group")];
  const [known, found] = await Promise.all([
    tags.length === 0 ? [] : client.tags.list(),
    group === undefined ? undefined : findGroup(client, group),
  ]);
  return {
    ...filter,
    // By ID, because the service could take a name for the slug of another tag.
    ...(tags.length === 0 ? {} : { tag: tags.map((tag) => tagOf(known, tag).id) }),
    ...(found === undefined ? {} : { activity_group_id: found.id }),
  };
}
