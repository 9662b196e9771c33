import { toHost } from "../../../src/client/api/host";
import type { ActivityGroup, Link } from "../../../src/client/api/resources";
import { fold, slugOfKey } from "../../../src/lib/slug-text";
import { findGroup, invalid, type Problem, type State, unknownFields, words } from "./state";

interface Page<Item> {
  items: Item[];
  meta: { current_page: number; last_page: number; per_page: number; total: number };
  nextAfter: string | undefined;
}

const PAGE_PARAMETERS = ["page", "per_page", "after"];
const LINK_PARAMETERS = [
  ...[
    "tag",
    "activity_group_id",
    "channel",
    "status",
    "domain",
    "slug",
    "external_id",
    "external_id_prefix",
    "q",
    "sort",
  ],
  ...PAGE_PARAMETERS,
];
const GROUP_PARAMETERS = ["id", "slug", "q", "type", "status", ...PAGE_PARAMETERS];
const MAX_REPEATED = 100;
const CHOICES: Readonly<Record<string, readonly string[]>> = {
  sort: ["-created_at", "created_at", "-updated_at", "updated_at", "slug", "title"],
  status: ["active", "archived", "all", "draft", "scheduled", "completed"],
};

function assertQuery(query: URLSearchParams, known: readonly string[], repeatable: readonly string[]): void {
  const problems: Problem[] = unknownFields(new Set(query.keys()), known);
  for (const name of new Set(query.keys())) {
    const max = repeatable.includes(name) ? MAX_REPEATED : 1;
    if (query.getAll(name).length <= max) continue;
    problems.push({ field: name, message: `The ${words(name)} field has too many values.`, code: "limit" });
  }
  const perPage = Number(query.get("per_page") ?? 15);
  if (!(perPage >= 1 && perPage <= 100)) {
    const message = "The per page field must be between 1 and 100.";
    problems.push({ field: "per_page", message, code: "range" });
  }
  for (const [name, values] of Object.entries(CHOICES)) {
    const value = query.get(name);
    if (value === null || values.includes(value)) continue;
    problems.push({ field: name, message: `The selected ${name} is invalid.`, code: "enum" });
  }
  if (problems.length > 0) throw invalid(problems);
}

type Position = readonly [value: string, id: string];

const compare = (one: Position, other: Position): number =>
  one[0] !== other[0] ? (one[0] < other[0] ? -1 : 1) : one[1] < other[1] ? -1 : one[1] > other[1] ? 1 : 0;

/** Cuts the list to one page, after the cursor if there is one. */
function cut<Item>(
  items: readonly Item[],
  query: URLSearchParams,
  descending: boolean,
  positionOf: (item: Item) => Position,
): Page<Item> {
  const sign = descending ? -1 : 1;
  const sorted = items.toSorted((one, other) => sign * compare(positionOf(one), positionOf(other)));
  const page = Number(query.get("page") ?? 1);
  const perPage = Number(query.get("per_page") ?? 15);
  const after = query.get("after");
  const cursor = after === null ? undefined : (JSON.parse(decodeURIComponent(atob(after))) as Position);
  const rest =
    cursor === undefined
      ? sorted.slice((page - 1) * perPage)
      : sorted.filter((item) => sign * compare(positionOf(item), cursor) > 0);
  const shown = rest.slice(0, perPage);
  const last = shown.at(-1);
  return {
    items: shown,
    meta: {
      current_page: page,
      last_page: Math.max(1, Math.ceil(items.length / perPage)),
      per_page: perPage,
      total: items.length,
    },
    nextAfter:
      last !== undefined && rest.length > perPage
        ? btoa(encodeURIComponent(JSON.stringify(positionOf(last))))
        : undefined,
  };
}

export function listLinks(state: State, query: URLSearchParams, strict: boolean): Page<Link> {
  assertQuery(query, strict ? LINK_PARAMETERS : [...query.keys()], ["tag", "slug", "external_id"]);
  const status = query.get("status") ?? "active";
  const group = query.get("activity_group_id");
  const channel = query.get("channel");
  const domain = query.get("domain");
  const prefix = query.get("external_id_prefix");
  const part = fold(query.get("q") ?? "");
  const slugs = query.getAll("slug").map((slug) => slug.toLowerCase());
  const externalIds = query.getAll("external_id");
  const entries = [...state.slugs].filter(([key]) => slugs.includes(slugOfKey(key)));
  const opened = new Set(entries.map(([, id]) => id));
  const found = state.links.filter(
    (link) =>
      (status === "all" || link.status === status) &&
      (slugs.length === 0 || opened.has(link.id)) &&
      (externalIds.length === 0 || externalIds.includes(link.external_id ?? "")) &&
      (prefix === null || link.external_id?.startsWith(prefix)) &&
      (channel === null || link.channel === channel) &&
      (domain === null || link.domain === toHost(domain)) &&
      (group === null || link.activity_group?.id === (findGroup(state, group)?.id ?? "none")) &&
      query.getAll("tag").every((tag) => link.tags.some(({ id, slug }) => id === tag || slug === tag)) &&
      [link.slug, link.title ?? "", link.destination_url].some((text) => fold(text).includes(part)),
  );
  const sort = query.get("sort") ?? "-created_at";
  const field = sort.replace("-", "") as "created_at" | "updated_at" | "slug" | "title";
  return cut(found, query, sort.startsWith("-"), (link) => [fold(link[field] ?? "\uffff"), link.id]);
}

export function listGroups(state: State, query: URLSearchParams, strict: boolean): Page<ActivityGroup> {
  assertQuery(query, strict ? GROUP_PARAMETERS : [...query.keys()], []);
  const part = fold(query.get("q") ?? "");
  const matches = (group: ActivityGroup) =>
    (["id", "slug", "type", "status"] as const).every(
      (name) => (query.get(name) ?? group[name]) === group[name],
    ) && [group.name, group.slug, group.description].some((text) => fold(text).includes(part));
  return cut(state.groups.filter(matches), query, false, (group) => [fold(group.name), group.id]);
}
