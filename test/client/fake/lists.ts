import { toHost } from "../../../src/client/api/host";
import type { ActivityGroup, Link } from "../../../src/client/api/wire-types";
import { fold, slugOfKey } from "../../../src/lib/slug-text";
import { findGroup, type State } from "./state";

export interface Page<Item> {
  items: Item[];
  /** The cursor of the next page; undefined for the last one. */
  after: string | undefined;
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
  const perPage = Number(query.get("per_page"));
  const after = query.get("after");
  const cursor = after === null ? undefined : (JSON.parse(decodeURIComponent(atob(after))) as Position);
  const rest = sorted.filter((item) => cursor === undefined || sign * compare(positionOf(item), cursor) > 0);
  const shown = rest.slice(0, perPage);
  const last = shown.at(-1);
  const isLastPage = last === undefined || rest.length <= perPage;
  return {
    items: shown,
    after: isLastPage ? undefined : btoa(encodeURIComponent(JSON.stringify(positionOf(last)))),
  };
}

export function listLinks(state: State, query: URLSearchParams): Page<Link> {
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

export function listGroups(state: State, query: URLSearchParams): Page<ActivityGroup> {
  const part = fold(query.get("q") ?? "");
  const matches = (group: ActivityGroup) =>
    (["id", "slug", "type", "status"] as const).every(
      (name) => (query.get(name) ?? group[name]) === group[name],
    ) && [group.name, group.slug, group.description].some((text) => fold(text).includes(part));
  return cut(state.groups.filter(matches), query, false, (group) => [fold(group.name), group.id]);
}
