import { SHORT_HOST } from "../../../src/lib/slug-text";
import {
  type LinkFilter,
  type ListSort,
  NO_FILTER,
  type Word,
} from "../../../src/resources/links/list/list-filter";
import type { Index, Plan } from "../../../src/resources/links/list/list-plan";

// The lists of links whose plans are looked at, and the indexes that each may read.

export const FILTER: LinkFilter = { ...NO_FILTER, status: "active" };
const NAMED = { id: "n", slug: "n" };
const ROW_ID = { rowId: 1 };
const WORD: Word = { text: "sale", tagIds: [1], groupIds: [2] };
const OTHER_WORD: Word = { text: "ab", tagIds: [1], groupIds: [2] };
const REQUIRED_WORD: Word = { text: "spring", tagIds: [], groupIds: [] };
const CREATED: Pick<LinkFilter, "created"> = { created: ["A", "B"] };

interface Narrowed extends Partial<LinkFilter> {
  most?: number;
}

/** What narrows a list, by the set that its plan reads. */
const NARROWED: readonly [Index, Narrowed][] = [
  ["tag", { tags: [NAMED] }],
  ["tag", { tags: [NAMED], status: "all" }],
  ["tag", { tags: [NAMED], status: "all", most: 9 }],
  ["tag", { tags: [ROW_ID, { rowId: 2 }] }],
  ["tag", { tags: [ROW_ID], external_id_prefix: "e" }],
  ["tag", { tags: [ROW_ID], q: "sale" }],
  ["tag", { tags: [ROW_ID], broken: true }],
  ["tag", { tags: [ROW_ID], window: { state: "ended", at: 1 } }],
  ["tag", { tags: [ROW_ID], channel: "email", most: 9 }],
  ["tag", { tags: [ROW_ID], words: [OTHER_WORD], link: 1, most: 9 }],
  ["tag", { tags: [ROW_ID], ...CREATED, most: 9 }],
  ["group", { group: NAMED }],
  ["group", { group: NAMED, channel: "email" }],
  ["group", { group: NAMED, tags: [ROW_ID, { rowId: 2 }] }],
  ["group", { group: NAMED, status: "all", most: 9 }],
  ["group", { group: NAMED, ...CREATED }],
  ["channel", { channel: "email" }],
  ["channel", { channel: "email", group: NAMED }],
  ["channel", { channel: "email", most: 9 }],
  ["channel", { channel: "email", ...CREATED, status: "all", most: 9 }],
  ["utm_source", { utm_source: "a" }],
  ["utm_medium", { utm_medium: "email" }],
  ["utm_campaign", { utm_campaign: "spring" }],
  ["utm_campaign", { utm_campaign: "spring", utm_medium: "email" }],
  ["domain", { domain: "h" }],
  ["all", { domain: SHORT_HOST }],
  ["all", { status: "archived" }],
  ["all", { status: "all" }],
  ["all", { tags: [NAMED] }],
  ["all", { external_id_prefix: "e" }],
  ["all", { q: "sale" }],
  ["all", { q: "sa", most: 9 }],
  ["all", { created_by: "operator", most: 9 }],
  ["all", { window: { state: "early", at: 1 }, most: 9 }],
  ["all", { window: { state: "ended", at: 1 }, status: "all", most: 9 }],
  ["all", { ...CREATED, most: 9 }],
  ["all", { ...CREATED, status: "all", most: 9 }],
  ["all", { words: [OTHER_WORD], link: 1, most: 9 }],
  ["all", { words: [OTHER_WORD], status: "all", most: 9 }],
  ["slug", { slug: ["s"] }],
  ["slug", { slug: ["s"], tags: [ROW_ID] }],
  ["slug", { slug: ["s"], words: [WORD], most: 9 }],
  ["slug", { slug: ["s"], ...CREATED }],
  ["external_id", { external_id: ["e"] }],
  ["external_id", { external_id: ["e"], words: [WORD], most: 9 }],
  ["external_id_prefix", { external_id_prefix: "e" }],
  ["external_id_prefix", { external_id_prefix: "e", status: "all" }],
  ["external_id_prefix", { external_id_prefix: "e", most: 9 }],
  ["import", { import: "i" }],
  ["import", { import: "i", status: "all" }],
  ["import", { import: "i", slug: ["s"], tags: [NAMED], q: "sale" }],
  ["import", { import: "i", words: [WORD], most: 9 }],
  ["import", { import: "i", ...CREATED }],
  ["search", { q: "sale" }],
  ["search", { q: "sale", tags: [ROW_ID] }],
  ["search", { q: "sale", status: "all", most: 9 }],
  ["search", { words: [REQUIRED_WORD, WORD], link: 1, most: 9 }],
  ["search", { words: [REQUIRED_WORD], status: "all", most: 9 }],
  ["search", { words: [REQUIRED_WORD], ...CREATED, most: 9 }],
  ["names", { words: [WORD, OTHER_WORD], link: 1, most: 9 }],
  ["link", { link: 1, status: "all" }],
  ["taken_down", { taken_down: true }],
  ["taken_down", { taken_down: true, status: "all", tags: [ROW_ID] }],
  ["taken_down", { taken_down: true, most: 9 }],
  ["broken", { broken: true, most: 9 }],
  ["broken", { broken: true, status: "all", most: 9 }],
  ["broken", { broken: true, tags: [ROW_ID], most: 9 }],
];
const AFTER: Record<ListSort, [number | string | null, string]> = {
  "-created_at": [0, "l"],
  created_at: [0, "l"],
  "-updated_at": [0, "l"],
  updated_at: [0, "l"],
  "-visits": [7, "l"],
  slug: ["s", "l"],
  title: ["t", "l"],
};
const SORTS = Object.keys(AFTER) as ListSort[];

/** A page of a list, or its count, by the name of its statement. */
export interface List {
  plan: Plan;
  sort: ListSort;
  isPage: boolean;
  after?: (typeof AFTER)[ListSort] | undefined;
  exactFirst?: boolean;
}

function makeLists(): Map<string, List> {
  const lists = new Map<string, List>();
  const page = (name: string, list: Omit<List, "isPage">) => {
    const { sort, after } = list;
    const variant = `${name}, ${sort}${after === undefined ? "" : `, after ${after[0]}`}`;
    lists.set(`selectLinkPage (${variant})`, { ...list, isPage: true });
  };
  const planOf = (index: Index, { most, ...narrowed }: Narrowed): Plan => {
    const filter = { ...FILTER, ...narrowed };
    return { set: { index, tag: filter.tags[0], word: filter.words?.[0], size: 9 }, filter, most };
  };
  for (const status of ["active", "all"] as const) {
    const plan = planOf("all", { status });
    for (const sort of SORTS) {
      page(`no filter, ${status}`, { plan, sort });
      page(`no filter, ${status}`, { plan, sort, after: AFTER[sort] });
    }
    page(`no filter, ${status}`, { plan, sort: "title", after: [null, "l"] });
  }
  for (const [index, narrowed] of NARROWED) {
    const plan = planOf(index, narrowed);
    const name = `${index}: ${JSON.stringify(narrowed).replaceAll(/[{}"]/g, "")}`;
    lists.set(`countLinks (${name})`, { plan, sort: "-created_at", isPage: false });
    if (narrowed.words !== undefined) page(`${name}, exact first`, { plan, sort: "title", exactFirst: true });
    for (const sort of ["-created_at", "-visits"] as const) {
      page(name, { plan, sort });
      page(name, { plan, sort, after: AFTER[sort] });
    }
    page(name, { plan, sort: "title" });
  }
  return lists;
}

export const LISTS: ReadonlyMap<string, List> = makeLists();

/** What sets are read by that are neither all links, nor those with a value or on a domain. */
const READS: Readonly<Partial<Record<Index, readonly string[]>>> = {
  tag: ["link_tags_list(workspace_id, tag_id, link_archived"],
  group: ["links_list_group(workspace_id, activity_group_id, archived"],
  external_id_prefix: ["links_list_external_id(workspace_id, archived, external_id>, external_id<)"],
  search: ["link_search(match, rowid>, rowid<)"],
  names: [
    "link_search(match, rowid>, rowid<)",
    "link_tags_list(workspace_id, tag_id)",
    "links_list_group(workspace_id, activity_group_id)",
  ],
  broken: [
    "scan destination_health_broken",
    "destination_health_broken(host)",
    "links_destination(destination_url, workspace_id)",
    "links_list_all(workspace_id)",
  ],
  taken_down: ["links_taken_down(workspace_id"],
  // An equality finds few links.
  import: [],
  slug: [],
  external_id: [],
  link: [],
};

/** What the links of all are read by, in the order of the list. */
const BY_SORT: Readonly<Record<string, string>> = {
  created_at: "links_list_created(workspace_id, archived",
  updated_at: "links_list_updated(workspace_id, archived",
  visits: "links_list_visits(workspace_id, archived",
  slug: "links_list_slug(workspace_id, archived",
  title: "links_list_title(workspace_id, archived",
};

function ofAll({ plan: { filter, most }, sort, isPage }: List): string | undefined {
  const isWhole = filter.status === "all" && (most !== undefined || !isPage || /created_at$/.test(sort));
  if (isWhole) return "links_list_all(workspace_id";
  return BY_SORT[most === undefined ? sort.replace("-", "") : "created_at"];
}

/** The beginnings of what a list may read. */
export function readsOfList(list: List): string[] {
  const { set, most } = list.plan;
  const { index } = set;
  const own =
    index === "all"
      ? [ofAll(list) ?? ""]
      : (READS[index] ?? [`links_list_${index}(workspace_id, ${index}, archived`]);
  const isByVisits = most !== undefined && list.sort === "-visits" && list.plan.filter.words === undefined;
  return [...own, ...(isByVisits ? ["links_list_visits(workspace_id, archived, visits>)"] : [])];
}

/** Whether a set's index has the links in the order of their creation. */
export const isOrdered = ({ set: { index } }: Plan): boolean =>
  !(index in READS) || index === "tag" || index === "group";

/** Whether a page reads no more links than it shows. */
export const isPaged = ({ plan, sort, isPage }: List): boolean =>
  isPage &&
  plan.most === undefined &&
  isOrdered(plan) &&
  (plan.set.index === "all" || /created_at$/.test(sort));
