import { afterAll, beforeAll, expect, it } from "vitest";
import { waymark } from "../../../src/client/api/client";
import { etagOf } from "../../../src/client/api/etag";
import type { Waymark } from "../../../src/client/api/resources";
import { cleanUp } from "../../operations/cli/terminal";
import { all, failureOf } from "../api/setup";
import { cutShort, dropped } from "../fake-service";
import { type DevService, interfered, startService } from "./server";

const DESTINATION = "https://www.example.com/sale?a=b&c=%20d";

let service: DevService;
let client: Waymark;

beforeAll(async () => {
  service = await startService();
  client = waymark(service);
});
afterAll(async () => {
  await service?.stop();
  cleanUp();
});

const etagFromService = async (path: string): Promise<string | null> => {
  const headers = { Authorization: `Bearer ${service.key}` };
  return (await fetch(`${service.url}/api/v1${path}`, { headers })).headers.get("ETag");
};

it("etagOf a listed link equals the ETag of the service, whatever fields the link has", async () => {
  const tags = await Promise.all(["Été", "Ünï 😀", "Straße"].map((name) => client.tags.create({ name })));
  const [group] = await all(client.groups.list());
  const inputs = [
    {},
    { title: "“Sale” \\ / 😀", channel: "poster", external_id: "etag:1", tag_ids: tags.map(({ id }) => id) },
    { activity_group_id: group?.id ?? "", utm_source: "a", utm_medium: "b", tag_names: ["STRAßE"] },
    { activity_group_id: group?.slug ?? "", utm_campaign: "own" },
  ];
  for (const input of inputs) await client.links.create({ destination_url: DESTINATION, ...input });

  const listed = await all(client.links.list({ status: "all" }));
  expect(listed.length).toBeGreaterThan(3);
  for (const link of listed) {
    expect(await etagOf(link)).toBe(await etagFromService(`/links/${link.id}`));
    expect(await etagOf(await client.links.get(link.id))).toBe(await etagOf(link));
  }
});

it("etagOf a listed tag works as If-Match", async () => {
  const tag = await client.tags.create({ name: "Guarded", description: "as it was" });
  const [listed] = (await client.tags.list()).filter(({ id }) => id === tag.id);
  const ifMatch = listed === undefined ? "" : await etagOf(listed);

  const changed = await client.tags.update(tag.id, { name: "Guarded again", colour: "#f00" }, { ifMatch });
  expect(await failureOf(client.tags.delete(tag.id, { ifMatch }))).toMatchObject({ status: 412 });
  await client.tags.delete(tag.id, { ifMatch: await etagOf(changed) });
});

it("whoami returns the access of a key and creates nothing", async () => {
  const before = await client.tags.list();
  const reader = waymark({ ...service, key: await service.createKey("demo", "read") });

  expect(await client.whoami()).toMatchObject({ workspace: { slug: "demo" }, access: "full" });
  expect(await reader.whoami()).toMatchObject({ workspace: { slug: "demo" }, access: "read" });
  expect(await failureOf(reader.tags.create({ name: "No" }))).toMatchObject({ status: 403 });
  expect(await client.tags.list()).toEqual(before);
});

it("an error has codes and the conflicting link", async () => {
  const link = await client.links.create({
    destination_url: DESTINATION,
    slug: "in-the-way",
    external_id: "way",
  });
  const input = { destination_url: "javascript:alert(1)", slug: "in-the-way", tittle: "x" };

  expect(await failureOf(client.links.create(input))).toMatchObject({
    status: 422,
    codes: { tittle: ["unknown"], destination_url: [expect.any(String)] },
    requestId: expect.stringMatching(/^[\da-f-]{36}$/),
  });
  const again = { destination_url: DESTINATION, slug: "In-The-Way", external_id: "way" };
  expect(await failureOf(client.links.create(again))).toMatchObject({
    codes: { slug: ["taken"], external_id: ["taken"] },
    conflicts: { slug: link.id, external_id: link.id },
  });
});

it("an upsert of an equivalent input sends no write", async () => {
  const [group] = await all(client.groups.list());
  const input = {
    external_id: "upsert:1",
    destination_url: DESTINATION,
    title: " Sale ",
    channel: "",
    activity_group_id: group?.slug ?? "",
    tag_names: ["ÜNÏ 😀", "été"],
  };
  const { link, outcome } = await client.links.upsert(input);
  expect(outcome).toBe("created");
  const { client: watched, calls } = interfered(service, (request) => request());
  expect(await watched.links.upsert({ ...input, activity_group_id: group?.id ?? "" })).toEqual({
    link,
    outcome: "unchanged",
  });
  expect(calls).toHaveLength(1);
  expect(await watched.links.upsert({ ...input, utm_campaign: "own", tag_names: [] })).toMatchObject({
    outcome: "updated",
    link: { id: link.id, utm_campaign: "own", utm_campaign_origin: "explicit", tags: [] },
  });
});

it("QR files are complete", async () => {
  const link = await client.links.create({ destination_url: DESTINATION });
  const svg = new TextDecoder().decode(await client.links.qr(link.id));
  const png = await client.links.qr(link.id, { format: "png", size: 300, margin: 4, ecc: "H" });

  expect(svg).toMatch(/^<svg[\s\S]*<\/svg>\s*$/);
  expect([...png.slice(1, 4)]).toEqual([...new TextEncoder().encode("PNG")]);
  expect(await failureOf(client.links.qr(link.id, { size: 1 }))).toMatchObject({
    codes: { size: ["range"] },
  });
});

it("40 links are created once, updated once and deleted although three of four tries fail", async () => {
  const { client: unlucky, calls } = interfered(service, async (request, tries) => {
    if (tries === 1) return dropped();
    const response = await request();
    return tries === 2 ? dropped() : tries === 3 ? cutShort(response) : response;
  });
  const numbers = Array.from({ length: 40 }, (_, number) => number);
  const made = await Promise.all(
    numbers.map((number) =>
      unlucky.links.create({
        destination_url: DESTINATION,
        slug: `lost-${number}`,
        external_id: `lost:${number}`,
      }),
    ),
  );
  expect(new Set(made.map(({ id }) => id)).size).toBe(40);
  expect(await all(client.links.list({ external_id_prefix: "lost:" }))).toHaveLength(40);

  const changed = await Promise.all(
    made.map(async (link) =>
      unlucky.links.update(link.id, { title: "New" }, { ifMatch: await etagOf(link) }),
    ),
  );
  expect(new Set(changed.map(({ title }) => title))).toEqual(new Set(["New"]));
  expect(await all(client.links.list({ external_id_prefix: "lost:" }))).toEqual(
    changed.toSorted((one, other) => (one.id < other.id ? 1 : -1)),
  );

  await Promise.all(
    changed.map(async (link) => unlucky.links.delete(link.id, { ifMatch: await etagOf(link) })),
  );
  expect(await all(client.links.list({ external_id_prefix: "lost:", status: "all" }))).toEqual([]);
  expect(calls.length).toBeGreaterThanOrEqual(3 * 40 * 3);
});

it("lists 230 links without gaps while some are deleted", async () => {
  const slugs = Array.from({ length: 230 }, (_, number) => `seek-${String(number).padStart(3, "0")}`);
  await Promise.all(
    slugs.map((slug) =>
      client.links.create({ destination_url: DESTINATION, slug, external_id: `seek:${slug}` }),
    ),
  );
  const seen: string[] = [];
  for await (const link of client.links.list({ external_id_prefix: "seek:", sort: "slug" })) {
    seen.push(link.slug);
    if (seen.length % 20 === 0) await client.links.delete(link.id);
  }
  expect(seen).toEqual(slugs);

  const found = await all(client.links.list({ slug: slugs, status: "all" }));
  expect(found).toHaveLength(230 - Math.floor(230 / 20));
});
