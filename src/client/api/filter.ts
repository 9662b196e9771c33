import type { LinkFilter } from "./types";

const MAX_REPEATED = 100;
/** Keeps a URL below 8 KB, which servers and proxies take. */
const MAX_CHARACTERS = 4000;

type ListedName = "slug" | "external_id";

/** A filter as it is sent. */
export type LinkQuery = Omit<LinkFilter, "tag" | ListedName> & { [Name in "tag" | ListedName]?: string[] };

const toList = (value: string | readonly string[]): string[] =>
  typeof value === "string" ? [value] : [...value];

/** The service ignores an empty filter, and so would give every link. */
function assertNotBlank(filter: LinkFilter): void {
  for (const name of ["tag", "activity_group_id", "channel", "slug", "external_id"] as const) {
    const value = filter[name];
    if (value === undefined || !toList(value).some((text) => text.trim() === "")) continue;
    throw new TypeError(`The filter ${name} is empty.`);
  }
}

/** Distinct values in groups that a URL can hold. */
function split(name: ListedName, values: readonly string[]): string[][] {
  const groups: string[][] = [];
  let characters = Number.POSITIVE_INFINITY;
  for (const value of new Set(values)) {
    const added = `&${name}=${encodeURIComponent(value)}`.length;
    const last = groups.at(-1);
    if (last === undefined || last.length === MAX_REPEATED || characters + added > MAX_CHARACTERS) {
      groups.push([value]);
      characters = added;
    } else {
      last.push(value);
      characters += added;
    }
  }
  return groups;
}

/** The requests that a filter needs: none if it lists no slug or no external id at all. */
export function toQueries(filter: LinkFilter): LinkQuery[] {
  assertNotBlank(filter);
  const { tag, slug, external_id, ...rest } = filter;
  const base: LinkQuery = { ...rest, ...(tag === undefined ? {} : { tag: toList(tag) }) };
  const withSlugs =
    slug === undefined ? [base] : split("slug", toList(slug)).map((group) => ({ ...base, slug: group }));
  if (external_id === undefined) return withSlugs;
  const groups = split("external_id", toList(external_id));
  return withSlugs.flatMap((query) => groups.map((group) => ({ ...query, external_id: group })));
}
