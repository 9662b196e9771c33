import { SHORT_HOST } from "../../../src/lib/slug-text";
import { type Index, isInOrder, isMerged } from "../../../src/resources/links/list/indexes";
import {
  type LinkFilter,
  type ListSort,
  NO_FILTER,
  type Word,
} from "../../../src/resources/links/list/list-filter";
import type { Plan } from "../../../src/resources/links/list/list-plan";

// The lists of links whose plans are looked at, and the indexes that each may read.

export const FILTER: LinkFilter = { ...NO_FILTER, status: "active" };
const NAMED = { id: "n", slug: "n" };
const ROW_ID = { rowId: 1 };
const WORD: Word = { text: "sale", tagIds: [1], groupIds: [2], matches: 9 };
const OTHER_WORD: Word = { text: "ab", tagIds: [1], groupIds: [2], matches: undefined };
const REQUIRED_WORD: Word = { text: "spring", tagIds: [], groupIds: [], matches: 9 };
const CREATED: Pick<LinkFilter, "created"> = { created: ["A", "B"] };
/** By what narrows them, with the index of their plans. */
const NARROWED: Record<string, Partial<LinkFilter> & { index: Index; most?: number }> = {
  tag: { index: "tag", tags: [NAMED] },
  group: { index: "group", group: NAMED },
  channel: { index: "channel", channel: "email" },
  utm_source: { index: "utm_source", utm_source: "a" },
  utm_medium: { index: "utm_medium", utm_medium: "email" },
  utm_campaign: { index: "utm_campaign", utm_campaign: "spring" },
  "utm_campaign and utm_medium": { index: "utm_campaign", utm_campaign: "spring", utm_medium: "email" },
  domain: { index: "domain", domain: "h" },
  "the short host": { index: "order", domain: SHORT_HOST },
  "status=archived": { index: "order", status: "archived" },
  "status=all": { index: "order", status: "all" },
  "tag, status=all": { index: "tag", tags: [NAMED], status: "all" },
  slug: { index: "slug", slugs: ["s"] },
  external_id: { index: "external_id", externalIds: ["e"] },
  external_id_prefix: { index: "external_id_prefix", externalIdPrefix: "e" },
  "external_id_prefix, by order": { index: "order", externalIdPrefix: "e" },
  "external_id_prefix, status=all": { index: "external_id_prefix", externalIdPrefix: "e", status: "all" },
  "slugs and tag": { index: "slug", slugs: ["s"], tags: [ROW_ID] },
  "external_id_prefix and tag, by tag": { index: "tag", externalIdPrefix: "e", tags: [ROW_ID] },
  "group and channel, by group": { index: "group", group: ROW_ID, channel: "email" },
  "group and channel, by channel": { index: "channel", group: ROW_ID, channel: "email" },
  "tag that is being merged, by order": { index: "order", tags: [NAMED], isMerging: true },
  "two tags": { index: "tag", tags: [ROW_ID, { rowId: 2 }] },
  "two tags and group, by group": { index: "group", tags: [ROW_ID, { rowId: 2 }], group: ROW_ID },
  "q, by matches": { index: "search", search: "sale" },
  "q, by order": { index: "order", search: "sale" },
  "q and tag, by matches": { index: "search", search: "sale", tags: [ROW_ID] },
  "q and tag, by tag": { index: "tag", search: "sale", tags: [ROW_ID] },
  "q, by matches, status=all, at most": { index: "search", search: "sale", status: "all", most: 9 },
  "short q, at most": { index: "order", search: "sa", most: 9 },
  "taken down": { index: "taken_down", isTakenDown: true },
  "taken down and tag, status=all": {
    index: "taken_down",
    isTakenDown: true,
    status: "all",
    tags: [ROW_ID],
  },
  "broken, at most": { index: "broken", isBroken: true, most: 9 },
  "broken, status=all, at most": { index: "broken", isBroken: true, status: "all", most: 9 },
  "broken and tag, at most": { index: "broken", isBroken: true, tags: [ROW_ID], most: 9 },
  "broken and tag, by tag": { index: "tag", isBroken: true, tags: [ROW_ID] },
  import: { index: "import", importId: "i" },
  "import, status=all": { index: "import", importId: "i", status: "all" },
  "import, slug, tag and q": {
    index: "import",
    importId: "i",
    slugs: ["s"],
    tags: [NAMED],
    search: "sale",
  },
  "tag and channel, at most": { index: "tag", tags: [ROW_ID], channel: "email", most: 9 },
  "tag, status=all, at most": { index: "tag", tags: [NAMED], status: "all", most: 9 },
  "group, status=all, at most": { index: "group", group: NAMED, status: "all", most: 9 },
  "channel, at most": { index: "channel", channel: "email", most: 9 },
  "external_id_prefix, at most": { index: "external_id_prefix", externalIdPrefix: "e", most: 9 },
  "external_id_prefix, by order, at most": { index: "order", externalIdPrefix: "e", most: 9 },
  "short URL": { index: "link", status: "all", exactId: 1 },
  "words in texts, at most": { index: "search", words: [REQUIRED_WORD, WORD], exactId: 1, most: 9 },
  "words in texts, status=all, at most": { index: "search", status: "all", words: [REQUIRED_WORD], most: 9 },
  "words in names, at most": { index: "names", words: [WORD, OTHER_WORD], exactId: 1, most: 9 },
  "words and tag, at most": { index: "tag", tags: [ROW_ID], words: [OTHER_WORD], exactId: 1, most: 9 },
  "words and import, at most": { index: "import", importId: "i", words: [WORD], most: 9 },
  "words and slugs, at most": { index: "slug", slugs: ["s"], words: [WORD], most: 9 },
  "words and external_id, at most": { index: "external_id", externalIds: ["e"], words: [WORD], most: 9 },
  "words among the newest, at most": { index: "order", words: [OTHER_WORD], exactId: 1, most: 9 },
  "words among the newest, status=all, at most": {
    index: "order",
    status: "all",
    words: [OTHER_WORD],
    most: 9,
  },
  "taken down, at most": { index: "taken_down", isTakenDown: true, most: 9 },
  "creator, at most": { index: "order", createdBy: "operator", most: 9 },
  "time of creation, at most": { index: "order", ...CREATED, most: 9 },
  "time of creation, status=all, at most": { index: "order", ...CREATED, status: "all", most: 9 },
  "time of creation and tag, at most": { index: "tag", ...CREATED, tags: [ROW_ID], most: 9 },
  "time of creation and group, by group": { index: "group", ...CREATED, group: ROW_ID },
  "time of creation and channel, status=all, at most": {
    index: "channel",
    ...CREATED,
    channel: "email",
    status: "all",
    most: 9,
  },
  "time of creation and import": { index: "import", ...CREATED, importId: "i" },
  "time of creation and slug": { index: "slug", ...CREATED, slugs: ["s"] },
  "time of creation and words, at most": { index: "search", ...CREATED, words: [REQUIRED_WORD], most: 9 },
};
const AFTER: Record<ListSort, [number | string | null, string]> = {
  "-created_at": [0, "l"],
  created_at: [0, "l"],
  "-updated_at": [0, "l"],
  updated_at: [0, "l"],
  "-visits": [7, "l"],
  slug: ["s", "l"],
  title: ["t", "l"],
};

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
  const page = (name: string, plan: Plan, sort: ListSort, after?: (typeof AFTER)[ListSort]) => {
    const variant = `${name}, ${sort}${after === undefined ? "" : `, after ${after[0]}`}`;
    lists.set(`selectLinkPage (${variant})`, { plan, sort, isPage: true, after });
  };
  const planOf = ({ index, most, ...narrowed }: (typeof NARROWED)[string]): Plan => ({
    ...{ filter: { ...FILTER, ...narrowed }, index, total: "counted", most },
  });
  const all: Plan = { filter: FILTER, index: "order", total: "workspace" };
  for (const sort of Object.keys(AFTER) as ListSort[]) {
    page("no filter", all, sort);
    page("no filter", all, sort, AFTER[sort]);
  }
  page("no filter", all, "title", [null, "l"]);
  page("status=all", { ...all, filter: { ...FILTER, status: "all" } }, "slug");
  for (const name of ["tag", "group", "status=archived", "status=all", "q, by matches", "channel, at most"]) {
    const plan = planOf(NARROWED[name] ?? { index: "order" });
    page(name, plan, "-visits");
    page(name, plan, "-visits", AFTER["-visits"]);
  }
  for (const [name, narrowed] of Object.entries(NARROWED)) {
    const plan = planOf(narrowed);
    lists.set(`countLinks (${name})`, { plan, sort: "-created_at", isPage: false });
    if (narrowed.words !== undefined)
      lists.set(`selectLinkPage (${name}, exact first)`, {
        plan,
        sort: "title",
        isPage: true,
        exactFirst: true,
      });
    page(name, plan, "-created_at");
    page(name, plan, "-created_at", AFTER["-created_at"]);
    page(name, plan, "title");
  }
  return lists;
}

export const LISTS: ReadonlyMap<string, List> = makeLists();

/** What plans read whose index is none of the list's order, a value or a domain. */
const READS: Readonly<Partial<Record<Index, readonly string[]>>> = {
  tag: ["link_tags_list(workspace_id, tag_id"],
  group: ["links_list_group(workspace_id, activity_group_id"],
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
  taken_down: ["links_taken_down(workspace_id)"],
  // An equality finds few links.
  import: [],
  slug: [],
  external_id: [],
  link: [],
};

const BY_SORT: Readonly<Record<string, string>> = {
  updated_at: "links_list_updated(workspace_id, archived",
  visits: "links_list_visits(workspace_id, archived",
  slug: "links_list_slug(workspace_id, archived",
  title: "links_list_title(workspace_id, archived",
};

/** What a list that reads all links reads of them. */
function ofAll({ plan: { filter, most }, sort, isPage }: List): string {
  const isAll = filter.status === "all";
  // A count may take any index of all links.
  if (!isPage && most === undefined)
    return isAll ? "links_workspace_row(workspace_id)" : "links_list_visits(workspace_id, archived)";
  if (isAll && most === undefined && sort === "slug") return "links_workspace_address(workspace_id";
  const newest = isAll ? "links_list_all(workspace_id" : "links_list_created(workspace_id, archived";
  return (most === undefined && BY_SORT[sort.replace("-", "")]) || newest;
}

/** The beginnings of what a list may read. */
export function readsOfList(list: List): string[] {
  const { index, most } = list.plan;
  const own =
    index === "order" ? [ofAll(list)] : (READS[index] ?? [`links_list_${index}(workspace_id, ${index}`]);
  const isByVisits = most !== undefined && list.sort === "-visits";
  return [...own, ...(isByVisits ? ["links_list_visits(workspace_id, archived, visits>)"] : [])];
}

/** Whether a page reads no more links than it shows. */
export const isPaged = ({ plan: { index, filter, most }, sort, isPage }: List): boolean =>
  isPage &&
  most === undefined &&
  (isInOrder(index, sort, filter.status) || isMerged(index, sort, filter.status));
