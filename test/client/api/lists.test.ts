import { expect, it } from "vitest";
import { gather } from "../../../src/client/api/pages";
import { failureOf, setup } from "./setup";

const DESTINATION = "https://www.example.com/sale";

async function withLinks(count: number) {
  const one = setup();
  for (let number = 0; number < count; number++) {
    await one.client.links.create({
      destination_url: DESTINATION,
      slug: `link-${number}`,
      external_id: `site:${number}`,
    });
  }
  one.service.calls.length = 0;
  return one;
}

const paths = ({ service }: Awaited<ReturnType<typeof withLinks>>): string[] =>
  service.calls.map(({ path }) => path);

it("lists all links in pages of 100", async () => {
  const one = await withLinks(250);
  const slugs = (await gather(one.client.links.list({ sort: "created_at" }))).map(({ slug }) => slug);

  expect(slugs).toEqual(Array.from({ length: 250 }, (_, number) => `link-${number}`));
  expect(one.service.calls).toHaveLength(3);
  expect(paths(one)[0]).toBe("/links?sort=created_at&per_page=100");
  expect(paths(one)[1]).toMatch(/^\/links\?sort=created_at&per_page=100&page=2&after=[^&]+$/);
});

it("yields each link once although links are deleted between two pages", async () => {
  const { client, service } = await withLinks(250);
  const seen: string[] = [];
  for await (const link of client.links.list({ sort: "created_at" })) {
    seen.push(link.slug);
    if (seen.length % 50 !== 0) continue;
    // Deletes listed links, so every later link moves to an earlier page position.
    service.state.links = service.state.links.filter(({ slug }) => !seen.slice(-20).includes(slug));
  }
  expect(seen).toEqual(Array.from({ length: 250 }, (_, number) => `link-${number}`));
});

it("requests the next page only when it is needed", async () => {
  const one = await withLinks(150);
  for await (const { slug } of one.client.links.list()) if (slug === "link-100") break;
  expect(one.service.calls).toHaveLength(1);
});

it("sends the request for the next page to its own host, whatever host the header names", async () => {
  const one = await withLinks(150);
  one.service.onCall = async (_, answer) => {
    const response = await answer();
    const link = response.headers.get("Link")?.replace("go.example.com", "elsewhere.example") ?? "";
    const prev = '<https://elsewhere.example/?page=1&after=wrong>; rel="prev"; title="next"';
    response.headers.set("Link", `${prev}, ${link}`);
    return response;
  };
  // The second page has no `next`, but still the foreign `prev`.
  expect(await gather(one.client.links.list())).toHaveLength(150);
  expect(one.service.calls.map(({ url }) => url.host)).toEqual(["go.example.com", "go.example.com"]);
});

it("sends each filter", async () => {
  const one = await withLinks(1);
  one.service.addGroup({ slug: "summer" });
  const filter = {
    activity_group_id: "summer",
    channel: "poster & flyer",
    domain: "go.example.com",
    status: "all",
    slug: "link-0",
    external_id_prefix: "site:",
    q: "sale",
    sort: "title",
  } as const;
  await gather(one.client.links.list({ ...filter, tag: ["print", "web"], external_id: ["a", "b"] }));
  const sent = one.service.calls[0]?.url.searchParams;
  expect(Object.fromEntries(sent ?? [])).toMatchObject({ ...filter, per_page: "100" });
  expect(sent?.getAll("tag")).toEqual(["print", "web"]);
  expect(sent?.getAll("external_id")).toEqual(["a", "b"]);
});

it("splits a long list of slugs, and yields a link once although several slugs match it", async () => {
  const one = await withLinks(230);
  const [first] = one.service.state.links;
  one.service.state.slugs.set("old", first?.id ?? "");
  const slugs = [...Array.from({ length: 230 }, (_, number) => `link-${number}`), "link-0", "old"];
  const found = await gather(one.client.links.list({ slug: slugs }));

  expect(found).toHaveLength(230);
  expect(new Set(found.map(({ id }) => id)).size).toBe(230);
  expect(one.service.calls.map(({ url }) => url.searchParams.getAll("slug").length)).toEqual([100, 100, 31]);
});

it.each([
  ["the longest external ids", {}],
  [
    "the longest slugs and external ids",
    { slug: Array.from({ length: 100 }, (_, n) => `${n}`.padEnd(64, "s")) },
  ],
  ["a long text and channel too", { slug: ["a"], q: "😀".repeat(255), channel: "é".repeat(120) }],
])("every URL is below 8 KB: %s", async (_, filter) => {
  const one = await withLinks(0);
  const ids = Array.from({ length: 120 }, (_, number) => `${number}-${"😀".repeat(250)}`);
  await gather(one.client.links.list({ external_id: ids, ...filter }));

  const sent = new Set(one.service.calls.flatMap(({ url }) => url.searchParams.getAll("external_id")));
  expect(sent.size).toBe(120);
  expect(Math.max(...one.service.calls.map(({ url }) => url.href.length))).toBeLessThan(8192);
});

it.each([{ slug: [] }, { external_id: [] }])("sends no request for an empty list: %j", async (filter) => {
  const one = await withLinks(2);
  expect(await one.client.links.page(filter)).toEqual({ links: [], next: undefined });
  expect(await gather(one.client.links.list(filter))).toEqual([]);
  expect(one.service.calls).toEqual([]);
});

it.each([
  { slug: "" },
  { slug: ["a", " "] },
  { external_id: "" },
  { tag: "" },
  { channel: " " },
  { domain: "" },
  { activity_group_id: "" },
])("throws on an empty filter, which the service would ignore: %j", async (filter) => {
  const one = await withLinks(2);
  expect(await failureOf(gather(one.client.links.list(filter)))).toBeInstanceOf(TypeError);
  expect(one.service.calls).toEqual([]);
});

it("finds a link by its slug and its external id, archived or not", async () => {
  const { client, service } = await withLinks(3);
  const link = await client.links.bySlug("LINK-1");
  await client.links.archive(link?.id ?? "");
  await client.links.update(link?.id ?? "", { slug: "renamed" });

  expect((await client.links.bySlug("link-1"))?.slug).toBe("renamed");
  expect((await client.links.byExternalId("site:1"))?.status).toBe("archived");
  expect(await client.links.byExternalId("site:9")).toBeUndefined();
  expect(await client.links.bySlug("nothing")).toBeUndefined();
  service.calls.length = 0;
  expect(await client.links.bySlug(" ")).toBeUndefined();
  expect(await client.links.byExternalId("")).toBeUndefined();
  expect(service.calls).toEqual([]);
});

it("finds a link by its slug on a domain, refuses to choose, and prefers a current slug to an old one", async () => {
  const { client } = setup({ domains: ["acme.example"] });
  const input = { destination_url: DESTINATION, slug: "summer" };
  const { id } = await client.links.create(input);
  const other = await client.links.create({ ...input, domain: "acme.example" });
  expect((await client.links.bySlug("SUMMER", "go.example.com"))?.id).toBe(id);
  expect((await client.links.bySlug("summer", "Acme.example."))?.id).toBe(other.id);
  await expect(client.links.bySlug("summer")).rejects.toThrow('The slug "summer" is that of several links:');
  await client.links.update(other.id, { slug: "autumn" });
  expect((await client.links.bySlug("summer"))?.id).toBe(id);
  expect((await client.links.bySlug("summer", "acme.example"))?.id).toBe(other.id);
  expect(await client.links.bySlug("summer", "other.example")).toBeUndefined();
});

it("lists groups, and finds one by its id or slug, the id first", async () => {
  const { client, service } = setup();
  for (let number = 0; number < 130; number++) service.addGroup({ slug: `group-${number}` });
  const [group] = service.state.groups;
  const likeAnId = service.addGroup({ slug: "01jz8q4v6t3k9m2n5p7r8s0w1x" });

  expect(await gather(client.groups.list())).toHaveLength(131);
  expect(await gather(client.groups.list({ q: "group-12" }))).toHaveLength(11);
  expect(await client.groups.get("group-0")).toEqual(group);
  expect(await client.groups.get(group?.id ?? "")).toEqual(group);
  expect(await client.groups.get("01jz8q4v6t3k9m2n5p7r8s0w1x")).toEqual(likeAnId);
  expect(await client.groups.get("nothing")).toBeUndefined();
  expect(await client.groups.get("")).toBeUndefined();
});
