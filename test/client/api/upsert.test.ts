import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CreateLink } from "../../../src/client/api/wire-types";
import { etagOf } from "../../../src/lib/etag";
import { FAULT_NAMES, failNext, failureOf, setup } from "./setup";

const FULL = {
  destination_url: "https://www.example.com/sale",
  slug: "summer",
  title: "Summer sale",
  channel: "poster",
  external_id: "site:summer",
  activity_group_id: "summer",
  utm_source: "site",
  utm_campaign: "own",
  starts_at: "2026-06-01T06:00:00.000Z",
  ends_at: "2026-08-31T22:00:00.000Z",
  ended_url: "https://www.example.com/over",
  tag_names: ["Print", "Web"],
} as const satisfies Readonly<Record<string, string | readonly string[]>>;

const FRENCH = { destination_url: "https://www.example.com/fr", languages: ["fr"] };

const full = (): CreateLink & { external_id: string } => ({
  ...FULL,
  rules: [{ ...FRENCH, starts_at: "2026-06-01T06:00:00.000Z" }],
  tag_names: [...FULL.tag_names],
});

async function stocked() {
  const one = setup({ domains: ["acme.example"] });
  one.service.addGroup({ slug: "summer", default_utm_campaign: "summer_2026" });
  one.service.addGroup({ slug: "winter" });
  for (const name of ["Print", "Web", "Straße"]) await one.client.tags.create({ name });
  one.service.calls.length = 0;
  return one;
}

it("creates a link, then leaves it unchanged, then updates the field that differs", async () => {
  const { client, service } = await stocked();
  const { link, outcome } = await client.links.upsert(full());
  expect(outcome).toBe("created");
  expect(await client.links.upsert(full())).toEqual({ link, outcome: "unchanged" });
  expect(service.writes()).toHaveLength(1);

  const second = await client.links.upsert({ ...full(), title: "Sale" });
  expect(second).toMatchObject({
    outcome: "updated",
    link: { id: link.id, title: "Sale", channel: "poster" },
  });
  expect(service.writes()[1]).toMatchObject({ method: "PATCH", body: { title: "Sale" } });
  expect(service.writes()[1]?.headers.get("If-Match")).toBe(await etagOf(link));
});

it.each([
  { title: " Summer sale\n" },
  { slug: null },
  { domain: null },
  { domain: " GO.example.com. " },
  { activity_group_id: " summer " },
  { tag_names: ["web", "PRINT", "Print"] },
  { utm_medium: null },
  { starts_at: "2026-06-01T08:00:00+02:00" },
  { ends_at: "2026-08-31T22:00:00.000999Z" },
  { rules: [{ ...FRENCH, languages: ["fr", "fr"], devices: [], starts_at: "2026-06-01T08:00:00+02:00" }] },
  {
    rules: [
      {
        starts_at: "2026-06-01T06:00Z",
        share: null,
        ...FRENCH,
        destination_url: " https://www.example.com/fr ",
      },
    ],
  },
])("an equivalent input changes nothing: %j", async (spelling) => {
  const { client, service } = await stocked();
  await client.links.upsert(full());
  expect((await client.links.upsert({ ...full(), ...spelling })).outcome).toBe("unchanged");
  expect(service.writes()).toHaveLength(1);
});

it.each<[Partial<Omit<CreateLink, "external_id">>, object]>([
  [{ slug: "Summer" }, { slug: "Summer" }],
  [{ domain: "acme.example" }, { domain: "acme.example", short_url: "https://acme.example/summer" }],
  [{ title: null }, { title: null }],
  [{ activity_group_id: null }, { utm_campaign: "own" }],
  [{ activity_group_id: "winter" }, { activity_group: { slug: "winter" } }],
  [{ utm_campaign: null }, { utm_campaign: "summer_2026", utm_campaign_origin: "inherited" }],
  [{ tag_names: ["Straße"] }, { tags: [{ name: "Straße" }] }],
  [{ tag_names: null }, { tags: [] }],
  [{ rules: [FRENCH] }, { rules: [{ ...FRENCH, starts_at: null }] }],
  [{ rules: [] }, { rules: [] }],
  [{ starts_at: "2026-06-01T08:00:00Z" }, { starts_at: "2026-06-01T08:00:00.000Z" }],
  [
    { starts_at: null, ends_at: "" },
    { starts_at: null, ends_at: null },
  ],
])("changes %j", async (input, expected) => {
  const { client } = await stocked();
  await client.links.upsert(full());
  expect(await client.links.upsert({ ...full(), ...input })).toMatchObject({
    outcome: "updated",
    link: expected,
  });
  expect((await client.links.upsert({ ...full(), ...input })).outcome).toBe("unchanged");
});

it("an update that leaves the ETag as it was is unchanged", async () => {
  const { client, service } = await stocked();
  const { link } = await client.links.upsert(full());
  service.onCall = async (call, answer) =>
    call.method === "PATCH" ? Response.json({ message: "Link updated successfully.", link }) : answer();
  expect(await client.links.upsert({ ...full(), title: "Summer\u00a0sale" })).toEqual({
    link,
    outcome: "unchanged",
  });
});

it("an archived link stays archived", async () => {
  const { client } = await stocked();
  const { link } = await client.links.upsert(full());
  await client.links.archive(link.id);
  expect(await client.links.upsert({ ...full(), title: "Sale" })).toMatchObject({
    outcome: "updated",
    link: { id: link.id, status: "archived" },
  });
});

describe("concurrent upserts create one link", () => {
  it("two with the same input", async () => {
    const { client, service } = await stocked();
    const results = await Promise.all([client.links.upsert(full()), client.links.upsert(full())]);
    expect(results.map(({ outcome }) => outcome).sort()).toEqual(["created", "unchanged"]);
    expect(service.state.links).toHaveLength(1);
  });

  it("a change by someone else between the read and the write is not overwritten unseen", async () => {
    const { client, service } = await stocked();
    const { link } = await client.links.upsert(full());
    let isFirst = true;
    service.onCall = async (call, answer) => {
      const stored = service.state.links.find(({ id }) => id === link.id);
      if (call.method === "PATCH" && isFirst && stored !== undefined) stored.channel = "flyer";
      isFirst &&= call.method !== "PATCH";
      return answer();
    };
    const { outcome, link: after } = await client.links.upsert({ ...full(), title: "Sale" });
    expect([outcome, after.title, after.channel]).toEqual(["updated", "Sale", "poster"]);
  });
});

it("a link that is deleted between the read and the write is created again", async () => {
  const { client, service } = await stocked();
  const { link } = await client.links.upsert(full());
  service.onCall = async (call, answer) => {
    if (call.method === "PATCH") service.state.links = [];
    return answer();
  };
  const second = await client.links.upsert({ ...full(), title: "Sale" });
  expect(second).toMatchObject({ outcome: "created", link: { slug: "summer", title: "Sale" } });
  expect(second.link.id).not.toBe(link.id);
});

it("the slug of another workspace is an error, and nothing is created", async () => {
  const { client, service } = await stocked();
  service.state.slugs.set("summer", null);
  expect(await failureOf(client.links.upsert(full()))).toMatchObject({
    codes: { slug: ["taken"] },
    conflicts: {},
  });
  expect(service.state.links).toEqual([]);
});

it("an empty external id throws before any request", async () => {
  const { client, service } = await stocked();
  expect(await failureOf(client.links.upsert({ ...full(), external_id: " " }))).toBeInstanceOf(TypeError);
  expect(service.calls).toEqual([]);
});

const LINKS = ["a", "b", "c"];
const step = fc.record({
  external_id: fc.constantFrom(...LINKS),
  title: fc.constantFrom("One", "Two", null),
  tag_names: fc.subarray(["Print", "Web"]),
});
const faults = fc.array(fc.option(fc.constantFrom(...FAULT_NAMES), { nil: undefined }), { maxLength: 30 });

it("whatever faults occur, each link exists once and is as its last upsert asked", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), faults, async (steps, wrong) => {
      const { client, service } = await stocked();
      failNext(service, ...wrong);
      const done = new Map<string, (typeof steps)[number]>();
      for (const one of steps) {
        const input = { ...one, destination_url: FULL.destination_url };
        const result = await client.links.upsert(input).catch(() => undefined);
        // After five faults in a row the outcome is unknown, so the caller repeats the upsert.
        if (result === undefined) {
          failNext(service);
          await client.links.upsert(input);
        }
        done.set(one.external_id, one);
      }
      const wanted = [...done.values()].map(({ external_id, title, tag_names }) => [
        external_id,
        title,
        tag_names,
      ]);
      const found = service.state.links.map(({ external_id, title, tags }) => [
        external_id,
        title,
        tags.map(({ name }) => name),
      ]);
      expect(found.sort()).toEqual(wanted.sort());
    }),
    { numRuns: 60 },
  );
});
