import { afterAll, beforeAll, expect, it } from "vitest";
import { waymark } from "../../../src/client/api/client";
import type { Waymark } from "../../../src/client/api/resources";
import { etagOf } from "../../../src/lib/etag";
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
