import { DOMAINS } from "./generate";

/** Ids in the furnished workspace. */
export interface Known {
  /** A link with as many slugs, assets and tags as one may have. */
  link: string;
  /** The newest links, as many as one form may change. */
  links: string[];
  group: string;
  tag: string;
  /** Tags with few links. */
  smallTag: string;
  otherSmallTag: string;
  asset: string;
  key: string;
  member: string;
  domain: string;
  channels: string[];
  view: string;
  branding: string;
  /** One that is off. */
  receiver: string;
  report: string;
  /** Of a report of the group. */
  token: string;
  import: string;
  /** A change of one link, and one of many. */
  operation: string;
  batch: string;
}

type Fields = Readonly<Record<string, string | readonly string[]>>;

/** A page or form with the rows that it may read. */
interface Case {
  route: string;
  name: string;
  id?: () => string;
  query?: () => string;
  form?: () => Fields;
  /** 200 for a page and 303 for a form, if it is not set. */
  status?: number;
  rows: number;
  /** Calls of D1 in a row, if not up to three. */
  depth?: number;
  /** A change that goes on in a second request if there are many links. */
  isChanging?: true;
  /** A file that is read in chunks. */
  isFile?: true;
}

/** A few rows of what is shown or changed, and the tags and groups that a form offers. */
const SMALL = 3_000;
/** A page of a hundred links in the order of an index, with their tags and visits. */
const PAGE_OF_LINKS = 6_400;
/** A list that looks at 10,000 links, by visits at 2,000 more, to count them and for its page. */
const SOME_LINKS = 170_000;
/** A search looks at up to 1,000 links by words or 2,000 of a filter, as in `scale.test.ts`. */
const SEARCH = 45_000;
/** The 500 most visited links of a group or tag, on each day that has visits, for several figures. */
const REPORT = 150_000;
/** Some ten thousand days of links. */
const DAYS_OF_LINKS = 45_000;
/** A file of days, which has all links of a group. */
const EVERY_DAY = Number.POSITIVE_INFINITY;
/** A file of 10,000 links with their tags, after as many. Before a part of them the sizes of its links are read. */
const FILE_OF_LINKS = 200_000;
/** Fifty changes, each with a count of its batch up to 1,000. */
const CHANGES = 65_000;
/** The rows of an imported file, counted and shown. */
const IMPORTED = 60_000;
/** The broken links, and what else needs attention or is at the top. */
const OVERVIEW = 200_000;
const LIVE_ASSETS = 40_000;
/** The assets of a workspace are counted before more are created. */
const ALL_ASSETS = 25_000;

const W = "/app/:workspace";
export const NEXT_MONTH = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
const LONG_TEXT = "x".repeat(10_000);
const RANGES = ["", "?last=365", "?last=all&compare=1", "?from=2000-01-01&to=2099-12-31"];
const FILTERED = ["?device=mobile", "?last=365&source=none", "?last=all&country=CH"];
const SORTS = ["created_at", "updated_at", "-updated_at", "slug", "title", "-visits"];
const FILTERS = [
  "tag=tag-0",
  "activity_group_id=group-0",
  "channel=email",
  "utm_source=newsletter",
  "utm_campaign=spring_2026",
  `domain=${DOMAINS[0]}`,
];
const ALL = { all: "1" };
const BRANDING = { colour: "#0b3d91", logo: "none" };
const REPLACEMENT = { find: "https", replacement: "http" };
const many = (most: number, of: (index: number) => string): string =>
  `?${Array.from({ length: most }, (_, index) => of(index)).join("&")}`;

/** What a member can ask for, most of it at its dearest. Forms come in an order in which each still finds its subject. */
export function cases(known: <Name extends keyof Known>(name: Name) => Known[Name]): Case[] {
  const filled = (text: string): string =>
    text.replaceAll(/\{(\w+)\}/g, (_, name) => String(known(name as keyof Known)));
  const get = (
    path: string,
    rows: number,
    queries: readonly string[] = [""],
    more: Partial<Case> = {},
  ): Case[] =>
    queries.map((query) => ({
      route: `GET ${W}${path}`,
      name: query.slice(0, 60),
      query: () => filled(query),
      rows,
      ...more,
    }));
  const post = (path: string, rows: number, form: () => Fields, more: Partial<Case> = {}): Case => ({
    route: `POST ${W}${path}`,
    name: "",
    form,
    rows,
    ...more,
  });
  /** A change of links, of all that are shown or of those that are chosen. */
  const change = (name: string, rows: number, form: () => Fields, more: Partial<Case> = {}): Case =>
    post("/links/change", rows, () => ({ change: name, ...form() }), { name, depth: 5, ...more });
  const of = (name: Exclude<keyof Known, "links" | "channels">) => ({ id: () => known(name) });
  const link = (index: number): string => known("links")[index] ?? "";
  const chosen = () => ({ ids: known("links") });
  const ofChannel = { id: () => known("channels")[0] ?? "" };
  const several = () => ({ destination_url: "https://www.example.com/several", channels: known("channels") });
  return [
    ...get("", OVERVIEW, [...RANGES, ...FILTERED]),
    post("", SMALL, () => ({ destination_url: "https://www.example.com/short" })),

    ...get("/links", PAGE_OF_LINKS, [
      "",
      ...SORTS.flatMap((sort) => [`?sort=${sort}`, `?sort=${sort}&status=all`]),
      ...FILTERS.flatMap((filter) => [`?${filter}&sort=created_at`, `?${filter}&status=all`]),
      "?page=2&per_page=100",
      "?page=9999&per_page=100",
      "?page=9999&per_page=100&sort=-visits",
      "?page=9999&per_page=100&tag=tag-0",
      "?page=99999999999",
      `?q=${LONG_TEXT}`,
      many(1_000, (index) => `tag=tag-${index}`),
      many(100, (index) => `slug=1-${index}`),
    ]),
    ...get("/links", SOME_LINKS, [
      ...FILTERS.flatMap((filter) => [
        ...SORTS.slice(1).map((sort) => `?sort=${sort}&${filter}`),
        `?sort=-visits&${filter}&status=all`,
      ]),
      "?page=100&per_page=100",
      "?created_by=operator",
      "?created_by=member:rare@example.com&status=all&sort=title",
      "?created_from=2000-01-01&created_to=2099-12-31",
      "?created_from=2000-01-01&status=all&sort=-visits",
      "?created_by=operator&created_to=2099-12-31&tag=tag-0",
      "?domain=s.example",
      "?domain=s.example&status=all&sort=title",
      "?tag=tag-0&channel=email",
      "?tag=tag-0&channel=email&sort=title",
      "?utm_source=newsletter&utm_medium=email&utm_campaign=spring_2026&channel=email",
      "?tag=tag-0&tag=tag-1&activity_group_id=group-0",
      "?activity_group_id=group-0&channel=sms&status=all",
      "?health=broken",
      "?health=broken&status=all&sort=-visits",
      "?health=broken&tag=tag-0",
      "?health=taken_down",
      "?health=taken_down&channel=email",
      "?external_id_prefix=nightly",
      "?external_id_prefix=nightly&channel=email",
      "?import={import}",
      "?import={import}&sort=title&channel=email",
    ]),
    ...get("/links", SEARCH, ["?q=summer", "?q=https", "?q=ab", "?q=https&tag=tag-0&status=all"]),
    change("tag", 10_000, () => ({ with_tag: known("smallTag"), ...chosen() }), { depth: 4 }),
    change("untag", 10_000, () => ({ with_tag: known("smallTag"), ...chosen() }), { depth: 4 }),
    change("move", 20_000, () => ({ to_group: known("group"), ...chosen() }), { depth: 4 }),
    change("set_value", 20_000, () => ({ value_field: "utm_medium", value: "mail", ...chosen() }), {
      depth: 6,
    }),
    change("domain", 20_000, () => ({ to_domain: known("domain"), ...chosen() })),
    change("preview", 10_000, () => ({ ...REPLACEMENT, ...chosen() }), { status: 200, depth: 3 }),
    change("preview", PAGE_OF_LINKS, () => ({ ...REPLACEMENT, ...ALL }), { status: 200, depth: 4 }),
    change("replace", 20_000, () => ({ ...REPLACEMENT, ...chosen() }), { depth: 6 }),
    change("replace", 30_000, () => ({ ...REPLACEMENT, ...ALL }), { isChanging: true, depth: 6 }),
    change("tag", 20_000, () => ({ with_tag: known("smallTag"), ...ALL }), { isChanging: true }),
    ...get("/links/find", SEARCH, ["?q=https", "?q=ab", "?q=summer%20tag%207", `?q=${LONG_TEXT}`]),
    ...get("/links/suggest", SEARCH, ["?q=https", "?q=ab", "?q=1-ff", `?q=${LONG_TEXT}`]),
    ...get("/links/list.csv", SOME_LINKS, ["", "?sort=title&status=all", "?q=https"], { isFile: true }),
    // Five chunks look at 10,000 links each.
    ...get("/links/list.csv", 3 * SOME_LINKS, ["?tag=tag-0&channel=email"], { isFile: true }),
    ...get("/links/list.csv", 4 * SOME_LINKS, ["?import={import}&q=https"], { isFile: true }),
    ...get("/links/new", SMALL, ["", "?from={link}"], { depth: 3 }),
    post("/links/new", SMALL, () => ({
      destination_url: "https://www.example.com/new",
      tag_ids: known("tag"),
    })),
    post("/links/new", SMALL, () => ({ destination_url: "https://www.example.com/", slug: "1-ff" }), {
      name: "refused",
      status: 422,
      depth: 3,
    }),
    post("/links/preview", SMALL, () => ({ destination_url: "https://example.com/", slug: "1-ff" }), {
      status: 200,
      depth: 3,
    }),
    post("/links/views", SMALL, () => ({ name: "All" }), { query: () => "?status=all", depth: 4 }),
    post("/links/views/:id", SMALL, () => ({}), of("view")),
    ...get("/links/unknown", 9_000),
    post("/links/unknown", SMALL, () => ({ address: `${DOMAINS[0]}/sumer`, link: link(0) }), { status: 422 }),
    ...get("/links/several", SMALL),
    post("/links/several", SMALL, () => ({ ...several(), do: "check" }), { name: "check", status: 200 }),
    post("/links/several", 6_000, () => ({ ...several(), do: "create" }), { name: "create", depth: 5 }),
    ...get("/channels", SMALL),
    post("/channels", SMALL, () => ({ name: "One more", utm_source: "more" }), { depth: 4 }),
    ...get("/channels/:id", SMALL, [""], ofChannel),
    post("/channels/:id", SMALL, () => ({ name: "Another", utm_source: "other" }), {
      ...ofChannel,
      depth: 4,
    }),
    post("/channels/:id/delete", SMALL, () => ({}), ofChannel),
    ...get("/brandings", SMALL),
    // The longest and the shortest slug of all links.
    post("/brandings", SMALL, () => ({ ...BRANDING, do: "show" }), { name: "show", status: 200 }),
    post("/brandings", FILE_OF_LINKS, () => ({ ...BRANDING, name: "One more" }), { depth: 5 }),
    ...get("/brandings/:id", SMALL, [""], of("branding")),
    post("/brandings/:id", SMALL, () => ({ ...BRANDING, do: "show" }), {
      ...of("branding"),
      name: "show",
      status: 200,
    }),
    post("/brandings/:id", FILE_OF_LINKS, () => ({ ...BRANDING, name: "Another" }), {
      ...of("branding"),
      depth: 5,
    }),
    ...get("/receivers", SMALL),
    post("/receivers", SMALL, () => ({ url: "https://hooks.example/", kinds: "link.created" }), {
      isChanging: true,
      depth: 5,
    }),
    ...get("/receivers/:id", SMALL, [""], of("receiver")),
    post("/receivers/:id", SMALL, () => ({ url: "https://hooks.example/", kinds: "link.deleted" }), {
      ...of("receiver"),
      isChanging: true,
      depth: 5,
    }),
    ...["/test", "/again/:operation"].map((verb) =>
      post(`/receivers/:id${verb}`, SMALL, () => ({}), { ...of("receiver"), status: 422, depth: 5 }),
    ),
    post("/receivers/:id/secret", SMALL, () => ({}), { ...of("receiver"), isChanging: true, depth: 5 }),
    post("/receivers/:id/remove", SMALL, () => ({}), { ...of("receiver"), isChanging: true, depth: 5 }),
    ...get("/links/:id/brandings/:branding", SMALL, [""], of("link")),
    ...get("/assets/:id/brandings/:branding", SMALL, [""], of("asset")),
    post("/brandings/:id/delete", SMALL, () => ({}), { ...of("branding"), isChanging: true }),
    ...get("/links/slug", SMALL),
    ...get("/links/:id", CHANGES, [...RANGES, ...FILTERED], of("link")),
    ...get("/links/:id/edit", SMALL, [""], of("link")),
    post("/links/:id/edit", SMALL, () => ({ destination_url: "https://example.com/" }), {
      ...of("link"),
      name: "refused",
      status: 422,
    }),
    ...get("/links/:id/rules", SMALL, ["?country=CH&device=ios"], of("link")),
    post("/links/:id/rules", SMALL, () => ({ "rules.0.destination_url": "https://example.com/" }), {
      ...of("link"),
      name: "refused",
      status: 422,
    }),
    post("/links/:id/status", SMALL, () => ({ status: "archived" }), { ...of("link"), depth: 4 }),
    post("/links/:id/status", SMALL, () => ({ status: "active" }), {
      ...of("link"),
      name: "restore",
      depth: 4,
    }),
    post("/links/:id/drop-slug", SMALL, () => ({ slug: "old-1" }), { ...of("link"), depth: 4 }),
    ...get("/links/:id/qr", SMALL, ["?format=svg", "?format=png&size=2048"], of("link")),

    ...get("/groups", DAYS_OF_LINKS, ["", "?q=group&page=3", `?q=${LONG_TEXT}`]),
    ...get("/groups", REPORT, ["?sort=-visits&status=all"]),
    ...get("/groups/new", SMALL),
    post("/groups/new", SMALL, () => ({ name: "New group", type: "campaign" })),
    ...get(
      "/groups/:id",
      REPORT,
      [...RANGES, ...FILTERED, "?page=9999", "?tab=links&page=9999", "?tab=links&sort=title"],
      of("group"),
    ),
    ...get("/groups/:id", LIVE_ASSETS, ["?tab=posters", "?tab=posters&page=9999&last=365"], of("group")),
    ...get("/groups/:id", CHANGES, ["?tab=settings"], of("group")),
    ...get(
      "/groups/:id/compare",
      2 * REPORT,
      ["", "?with={group}&since=start", "?with={group}&since=equal"],
      of("group"),
    ),
    post("/groups/:id", SMALL, () => ({ name: "Group 0", slug: "group-0", type: "campaign" }), of("group")),
    post("/groups/:id/status", SMALL, () => ({ status: "completed" }), of("group")),
    ...get("/groups/:id/clicks.csv", EVERY_DAY, RANGES, { ...of("group"), isFile: true }),
    ...get("/groups/:id/origins.csv", REPORT, RANGES, { ...of("group"), isFile: true }),
    ...get("/groups/:id/print", PAGE_OF_LINKS, ["", "?page=9999"], of("group")),
    ...get("/groups/:id/links.csv", REPORT, ["", "?last=365"], { ...of("group"), isFile: true }),

    ...get("/tags", DAYS_OF_LINKS, [...RANGES, "?q=tag&page=9999"]),
    post("/tags", DAYS_OF_LINKS, () => ({ name: "One more than 1,000" }), { status: 422 }),
    ...get("/tags/:id", REPORT + SOME_LINKS, [...RANGES, ...FILTERED], of("tag")),
    post("/tags/:id", SMALL, () => ({ name: "Tag 0", slug: "tag-0" }), of("tag")),
    post("/tags/:id/merge", 40_000, () => ({ into: known("tag") }), of("smallTag")),
    post("/tags/:id/delete", 40_000, () => ({}), of("otherSmallTag")),

    ...get("/assets", LIVE_ASSETS, [
      "",
      "?sort=place",
      "?q=Poster&page=9999",
      "?unscanned=1",
      "?ended=1",
      "?after_end=1",
      "?link=1-20",
      "?group={group}&q=Poster",
      "?page=9999",
      "?status=draft",
    ]),
    post("/assets/change", SMALL, () => ({ id: known("asset"), status: "retired" })),
    post("/assets/change", SMALL, () => ({ id: known("asset"), status: "live" }), { name: "live" }),
    post("/assets/change", SMALL, () => ({ id: known("asset"), status: "move", to_link: link(3) }), {
      name: "move",
      depth: 5,
    }),
    ...get("/assets/new", SMALL, ["", "?link={link}"]),
    post("/assets/new", ALL_ASSETS, () => ({ name: "New", kind: "poster", link: link(0) })),
    ...get("/assets/several", SMALL),
    post("/assets/several", ALL_ASSETS, () => ({
      link: link(1),
      kind: "poster",
      status: "draft",
      do: "create",
      list: "One\nTwo",
    })),
    ...get("/assets/print", PAGE_OF_LINKS, ["?link={link}", "?group={group}"]),
    ...get("/assets/print", SMALL, [many(300, (index) => `id=${String(index).padStart(26, "0")}`)], {
      status: 422,
    }),
    ...get("/assets/qr.zip", SMALL, ["?link={link}&format=both&print=300"], { isFile: true }),
    ...get("/assets/:id", SMALL, RANGES, of("asset")),
    post("/assets/:id", SMALL, () => ({ name: "Other", kind: "poster" }), of("asset")),
    ...get("/assets/:id/qr", SMALL, ["?format=svg"], of("asset")),

    ...get("/import", SMALL),
    post("/import", SMALL, () => ({}), { name: "refused", status: 422 }),
    ...get("/import/example.csv", SMALL),
    ...get("/export.csv", FILE_OF_LINKS, ["?part=1", "?part=2"], { isFile: true }),
    ...get("/import/:id", IMPORTED, ["", "?page=100", "?show=refused"], of("import")),
    post("/import/:id/go-on", IMPORTED, () => ({}), of("import")),
    post("/import/:id/undo", IMPORTED, () => ({}), { ...of("import"), depth: 5 }),
    ...get("/import/:id/refused.csv", IMPORTED, [""], { ...of("import"), isFile: true }),
    post("/import/:id/discard", IMPORTED, () => ({}), of("import")),

    ...get("/keys", SMALL, ["", "?q=key&page=9999"]),
    post("/keys", SMALL, () => ({ name: "New", access: "read", days: "0" }), { status: 200 }),
    ...get("/keys/:id/rotate", SMALL, [""], of("key")),
    post("/keys/:id/rotate", SMALL, () => ({ overlap_hours: "0" }), { ...of("key"), status: 200 }),
    post("/keys/:id/revoke", SMALL, () => ({}), of("key")),
    ...get("/values", PAGE_OF_LINKS, ["", "?field=utm_campaign"]),
    post(
      "/values/convention",
      SMALL,
      () => ({ strictness: "suggest", letters: "lower", space: "-", listed: "newsletter" }),
      { query: () => "?field=utm_source" },
    ),
    post("/values/replace", 20_000, () => ({ values: ["newsletter"], to: "mail" }), {
      isChanging: true,
      depth: 5,
    }),
    ...get("/reports", SMALL),
    post("/reports", SMALL, () => ({ last: "30", ends_on: NEXT_MONTH })),
    { route: "GET /reports/:token", name: "", id: () => known("token"), rows: OVERVIEW },
    // The token of another report starts and stops nothing.
    ...["start", "stop"].flatMap((what) => {
      const page = { name: "", id: () => known("token"), rows: SMALL };
      return [
        { ...page, route: `GET /reports/${what}/:token` },
        { ...page, route: `POST /reports/${what}/:token`, form: () => ({}), status: 404 },
      ];
    }),
    post("/reports/:id/end", SMALL, () => ({}), of("report")),
    ...get("/domains", SMALL),
    post("/domains", SMALL, () => ({ host: "new.acme.example" })),
    ...get("/domains/:host", SMALL, [""], of("domain")),
    post("/domains/:host", SMALL, () => ({ root_url: "", not_found_url: "www.example.com" }), {
      ...of("domain"),
      depth: 5,
    }),
    post(
      "/domains/:host/apps",
      SMALL,
      () => ({ apple_app_site_association: "", assetlinks: "" }),
      of("domain"),
    ),
    post("/domains/:host/check", SMALL, () => ({}), of("domain")),
    post("/domains/:host/primary", SMALL, () => ({}), of("domain")),
    post("/domains/:host/remove", ALL_ASSETS, () => ({}), { ...of("domain"), status: 422, depth: 5 }),
    ...get("/workspace", SMALL),
    post("/workspace", SMALL, () => ({ name: "Workspace 1" })),
    ...get("/workspace/pages", SMALL),
    ...get("/workspace/pages/preview", SMALL, ["?page=ended&language=de"]),
    post("/workspace/pages", SMALL, () => ({ ended_en: "Thank you" }), { depth: 5 }),
    post("/workspace/pages/logo", SMALL, () => ({ removed: "true" })),
    post("/workspace/weekly-report", SMALL, () => ({ wanted: "true" })),
    ...get("/members", SMALL, ["", "?q=a&page=9999"]),
    post("/members", SMALL, () => ({ email: "new@people.example", role: "viewer" })),
    post("/members/:email", SMALL, () => ({ role: "editor" }), of("member")),
    post("/members/:email/name", SMALL, () => ({ name: "Ada" }), of("member")),
    post("/members/:email/link", SMALL, () => ({}), of("member")),
    post("/members/:email/remove", SMALL, () => ({}), of("member")),

    ...get("/audit", CHANGES, [
      "",
      "?action=link.delete",
      "?actor=nobody",
      "?subject={link}",
      "?batch={batch}",
      "?from=2020-01-01&to=2020-02-01",
      "?from=2000-01-01&to=2099-12-31&action=tag",
    ]),
    ...get("/audit/:operation/revert", SMALL, [""], of("operation")),
    post("/audit/:operation/revert", SMALL, () => ({}), { ...of("operation"), depth: 5 }),
    post("/audit/:operation/undo", 20_000, () => ({}), { ...of("batch"), depth: 5 }),
    change("archive", SEARCH + 20_000, () => ALL, { query: () => "?q=summer", isChanging: true }),
    change("archive", SOME_LINKS + 20_000, () => ALL, {
      query: () => "?tag=tag-0&channel=email",
      isChanging: true,
    }),
    post("/links/:id/delete", SMALL, () => ({}), { ...of("link"), status: 422 }),
  ];
}
