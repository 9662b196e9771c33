import { chunksWithin } from "../../lib/chunks";
import type { LinkFilter } from "./wire-types";

const MAX_REPEATED = 100;
/** Servers and proxies accept URLs of 8 KB. The rest is for the address and the cursor. */
const MAX_FILTER_CHARACTERS = 6000;

type ListedName = "slug" | "external_id";

/** A filter in the form of query parameters. */
export type LinkQuery = Omit<LinkFilter, "tag" | ListedName> & { [Name in "tag" | ListedName]?: string[] };

const toList = (value: string | readonly string[]): string[] =>
  typeof value === "string" ? [value] : [...value];

/** The service ignores an empty filter, so the list would contain every link. */
function assertNotBlank(filter: LinkFilter): void {
  for (const name of ["tag", "activity_group_id", "channel", "domain", "slug", "external_id"] as const) {
    const value = filter[name];
    if (value === undefined || !toList(value).some((text) => text.trim() === "")) continue;
    throw new TypeError(`The filter ${name} is empty.`);
  }
}

/** The requests that a filter needs. An empty list of slugs or external ids matches nothing and needs none. */
export function toQueries(filter: LinkFilter): LinkQuery[] {
  assertNotBlank(filter);
  const { tag, slug: _, external_id: __, ...rest } = filter;
  const base: LinkQuery = { ...rest, ...(tag === undefined ? {} : { tag: toList(tag) }) };
  const left = MAX_FILTER_CHARACTERS - encodeURIComponent(JSON.stringify(base)).length;
  const lists = (["slug", "external_id"] as const).filter((name) => filter[name] !== undefined);
  let queries = [base];
  for (const name of lists) {
    const charactersOf = (value: string) => `&${name}=${encodeURIComponent(value)}`.length;
    const groups = chunksWithin(
      new Set(toList(filter[name] ?? [])),
      { of: () => 1, max: MAX_REPEATED },
      { of: charactersOf, max: left / lists.length },
    );
    queries = queries.flatMap((query) => groups.map((group) => ({ ...query, [name]: group })));
  }
  return queries;
}
