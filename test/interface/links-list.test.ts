import { beforeAll, describe, expect, it } from "vitest";
import type { ActivityGroup } from "../../src/resources/activity-groups/group-schema";
import type { Link } from "../../src/resources/links/link-schema";
import type { Tag } from "../../src/resources/tags/tag-schema";
import { makeWorkspace, type TestWorkspace } from "../harness";

const LINKS = "/api/v1/links";

// Tests that only read share one workspace.
let ws: TestWorkspace;
let links: Record<"ete" | "winter" | "book" | "old" | "bare", Link>;
let [sale, shop, last]: Tag[] = [];
let [spring, autumn]: ActivityGroup[] = [];
let foreign: { tag: Tag; group: ActivityGroup };
let previousSlug: string;

beforeAll(async () => {
  ws = await makeWorkspace();
  const other = await makeWorkspace();
  [sale, shop, last] = [await ws.tag(), await ws.tag(), await ws.tag()];
  [spring, autumn] = [await ws.group(), await ws.group()];
  foreign = { tag: await other.tag({ slug: "foreign" }), group: await other.group({ slug: "foreign" }) };
  await other.link({ title: "Été", tag_ids: [foreign.tag.id], activity_group_id: foreign.group.id });
  const id = crypto.randomUUID();
  links = {
    ete: await ws.link({
      slug: `Alpha-${id}`,
      title: "Été Sale",
      channel: "radio",
      destination_url: "https://www.example.com/Shop?id=1",
      activity_group_id: spring.id,
      tag_ids: [sale.id, shop.id],
    }),
    winter: await ws.link({
      title: "Winter 100%",
      channel: "radio",
      activity_group_id: spring.id,
      tag_ids: [sale.id],
    }),
    book: await ws.link({
      channel: "poster",
      destination_url: "https://bücher.example/ÜBER",
      activity_group_id: autumn.id,
      tag_ids: [shop.id],
    }),
    old: await ws.link({
      title: "ÉTÉ two",
      channel: "radio",
      activity_group_id: spring.id,
      tag_ids: [sale.id, shop.id, last.id],
    }),
    bare: await ws.link({ title: "under_score 東京", utm_source: "needle", utm_campaign: "needle" }),
  };
  const archived = await ws.call("PATCH", `${LINKS}/${links.old.id}`, { body: { status: "archived" } });
  links.old = archived.body.link;
  previousSlug = links.bare.slug;
  const renamed = await ws.call("PATCH", `${LINKS}/${links.bare.id}`, { body: { slug: `bare-${id}` } });
  links.bare = renamed.body.link;
});

type Name = keyof typeof links;
const text = encodeURIComponent;

const FILTERS: [string, () => string, Name[]][] = [
  ["nothing, shows active links", () => "", ["ete", "winter", "book", "bare"]],
  ["status archived", () => "status=archived", ["old"]],
  ["status all", () => "status=all", ["ete", "winter", "book", "old", "bare"]],
  ["an empty status, which counts as omitted", () => "status=&q=%20", ["ete", "winter", "book", "bare"]],
  ["a tag's slug", () => `tag=${sale?.slug}`, ["ete", "winter"]],
  ["a tag's id", () => `tag=${shop?.id}`, ["ete", "book"]],
  ["two tags, which must both match", () => `tag=${sale?.slug}&tag=${shop?.id}`, ["ete"]],
  ["tag[], which counts as tag", () => `tag[]=${sale?.slug}&tag%5B%5D=${shop?.id}`, ["ete"]],
  ["one tag twice, by id and slug", () => `tag=${sale?.slug}&tag=${sale?.id}&tag=`, ["ete", "winter"]],
  [
    "one tag twice, in two cases",
    () => `tag=${sale?.slug}&tag=${sale?.slug.toUpperCase()}`,
    ["ete", "winter"],
  ],
  ["an unknown tag", () => "tag=no-such-tag", []],
  ["another workspace's tag by id", () => `tag=${foreign.tag.id}`, []],
  ["a group's id", () => `activity_group_id=${spring?.id}`, ["ete", "winter"]],
  ["a group's slug", () => `activity_group_id=%20${autumn?.slug}%20`, ["book"]],
  ["a group's slug in another case", () => `activity_group_id=${autumn?.slug.toUpperCase()}`, ["book"]],
  ["an unknown group", () => "activity_group_id=no-such-group", []],
  ["another workspace's group", () => `activity_group_id=${foreign.group.id}`, []],
  ["a channel", () => "channel=radio", ["ete", "winter"]],
  ["a slug", () => `slug=${links.ete.slug}`, ["ete"]],
  ["a slug in another case", () => `slug=${links.ete.slug.toUpperCase()}`, ["ete"]],
  ["part of a slug", () => "slug=Alpha", []],
  ["a previous slug", () => `slug=${previousSlug}`, ["bare"]],
  ["q in a slug", () => "q=aLPHa-", ["ete"]],
  ["q in a title without regard to case", () => `q=${text("éTÉ S")}`, ["ete"]],
  ["q in an archived one's title", () => `q=${text("été")}&status=all`, ["ete", "old"]],
  ["q in a destination", () => `q=${text("SHOP?ID=")}`, ["ete"]],
  ["q in a destination of another script", () => `q=${text("BÜCHER.EXAMPLE/über")}`, ["book"]],
  ["q with a literal percent sign", () => "q=%25", ["winter"]],
  ["q of a text that is only in other fields", () => "q=needle", []],
  ["q of a previous slug", () => `q=${previousSlug}`, []],
  [
    "everything at once",
    () =>
      `tag=${sale?.slug}&tag=${shop?.id}&activity_group_id=${spring?.slug}&channel=radio&status=active&slug=${links.ete.slug}&q=sale&sort=title&page=1&per_page=5`,
    ["ete"],
  ],
  ["filters that exclude each other", () => `activity_group_id=${autumn?.id}&channel=radio&status=all`, []],
  [
    "unknown parameters, which are ignored",
    () => "foo=bar&limit=1&tags=x&tags[x]=y",
    ["ete", "winter", "book", "bare"],
  ],
];

describe("the list of links, filtered by", () => {
  it.each(FILTERS)("%s", async (_, query, names) => {
    const answer = await ws.call("GET", `${LINKS}?${query()}`);
    expect(answer.status, answer.text).toBe(200);
    const byId = (list: Link[]) => [...list].sort((a, b) => (a.id < b.id ? -1 : 1));
    expect(byId(answer.body.links)).toEqual(byId(names.map((name) => links[name])));
    expect(Object.keys(answer.body)).toEqual(["links", "meta"]);
    expect(answer.body.meta).toEqual({
      current_page: 1,
      last_page: 1,
      per_page: query().includes("per_page") ? 5 : 15,
      total: names.length,
    });
  });

  it("a tag or group, looked up by id before slug", async () => {
    const own = await makeWorkspace();
    const [tag, group] = [await own.tag(), await own.group()];
    const [mimic, double] = [
      await own.tag({ slug: tag.id.toLowerCase() }),
      await own.group({ slug: group.id.toLowerCase() }),
    ];
    const meant = await own.link({ tag_ids: [tag.id], activity_group_id: group.id });
    const other = await own.link({ tag_ids: [mimic.id], activity_group_id: double.id });
    for (const query of [`tag=${mimic.slug}`, `activity_group_id=${double.slug}`]) {
      expect((await own.call("GET", `${LINKS}?${query}`)).body.links, query).toEqual([meant]);
    }
    for (const query of [`tag=${mimic.id}`, `activity_group_id=${double.id}`]) {
      expect((await own.call("GET", `${LINKS}?${query}`)).body.links, query).toEqual([other]);
    }
  });
});

describe("the list of links refuses", () => {
  it("a second value of a parameter, also as a list; an empty one counts as omitted", async () => {
    for (const query of ["q=x&q=x", "q[]=x", "q=x&q%5B%5D=x"]) {
      const answer = await ws.call("GET", `${LINKS}?${query}`);
      expect([answer.status, Object.keys(answer.body.errors)], query).toEqual([422, ["q"]]);
      expect(answer.body.message).toBe(answer.body.errors.q[0]);
    }
    expect((await ws.call("GET", `${LINKS}?q=&q=x&q=%20`)).status).toBe(200);
  });

  // `proofs/fuzz/contract.test.ts` refuses other values of each parameter.
  it("all invalid parameters at once, in their order", async () => {
    const query =
      "after=x&after=y&per_page=0&page=0&sort=x&q=%00&slug=%00&status=x&channel=%00&activity_group_id=%00";
    const answer = await ws.call("GET", `${LINKS}?${query}&tag=%00`);
    expect(answer.status).toBe(422);
    expect(Object.keys(answer.body.errors)).toEqual([
      ...["tag", "activity_group_id", "channel", "status", "slug", "q", "sort", "page", "per_page", "after"],
    ]);
    expect(answer.body.message).toBe(`${answer.body.errors["tag"][0]} (and 9 more errors)`);
  });
});
