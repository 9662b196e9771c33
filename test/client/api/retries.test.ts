import { describe, expect, it, vi } from "vitest";
import { waymark } from "../../../src/client/api/client";
import { etagOf } from "../../../src/client/api/etag";
import { dropped, type FakeService, refused } from "../fake-service";
import { FAULT_NAMES, failNext, failureOf, type Setup, setup } from "./setup";

const DESTINATION = "https://www.example.com/sale";

async function stocked(): Promise<Setup> {
  const one = setup();
  one.service.addGroup({ slug: "summer", default_utm_campaign: "summer_2026" });
  await one.client.tags.create({ name: "Print" });
  await one.client.tags.create({ name: "Web" });
  await one.client.links.create({ destination_url: DESTINATION, slug: "first", tag_names: ["Print"] });
  await one.client.links.create({ destination_url: DESTINATION, slug: "second" });
  one.service.calls.length = 0;
  return one;
}

const firstLink = ({ service }: Setup) => service.state.links.find(({ slug }) => slug === "first");
const idOf = (resource: { id: string } | undefined): string => resource?.id ?? "";
const etagOfFirst = async (one: Setup): Promise<string> => {
  const link = firstLink(one);
  return link === undefined ? "" : etagOf(link);
};

/** All writes, with and without `If-Match`. */
const WRITES: Record<string, (one: Setup) => Promise<unknown>> = {
  "links.create": ({ client }) => client.links.create({ destination_url: DESTINATION, slug: "new" }),
  "links.update": (one) =>
    one.client.links.update(idOf(firstLink(one)), {
      title: " Sale ",
      channel: "",
      slug: "renamed",
      activity_group_id: "summer",
    }),
  "links.update if it has not changed": async (one) =>
    one.client.links.update(
      idOf(firstLink(one)),
      { title: " Sale ", channel: "", activity_group_id: "summer", tag_names: ["web"] },
      { ifMatch: await etagOfFirst(one) },
    ),
  "links.archive": async (one) =>
    one.client.links.archive(idOf(firstLink(one)), { ifMatch: await etagOfFirst(one) }),
  "links.setTags": async (one) =>
    one.client.links.setTags(idOf(firstLink(one)), ["Web", "PRINT"], { ifMatch: await etagOfFirst(one) }),
  "links.delete": (one) => one.client.links.delete(idOf(firstLink(one))),
  "links.delete if it has not changed": async (one) =>
    one.client.links.delete(idOf(firstLink(one)), { ifMatch: await etagOfFirst(one) }),
  "links.upsert of a new link": ({ client }) =>
    client.links.upsert({ destination_url: DESTINATION, slug: "third", external_id: "site:a" }),
  "tags.create": ({ client }) => client.tags.create({ name: "New" }),
  "tags.update": async ({ client, service }) => {
    const [tag] = service.state.tags;
    const ifMatch = tag === undefined ? "" : await etagOf(tag);
    return client.tags.update(idOf(tag), { name: "Poster", slug: null, colour: "" }, { ifMatch });
  },
  "tags.delete": ({ client, service }) => client.tags.delete(idOf(service.state.tags[0])),
};

const TIMES = ["created_at", "updated_at", "archived_at"];

/** The state without times, which differ between runs. */
const effectOn = ({ state }: FakeService): unknown =>
  JSON.parse(
    JSON.stringify({ links: state.links, tags: state.tags }, (name, value) =>
      TIMES.includes(name) ? value !== null : value,
    ),
  );

describe.each(Object.entries(WRITES))("%s takes effect exactly once", (_, write) => {
  it.each(FAULT_NAMES)("%s", async (fault) => {
    const [disturbed, quiet] = [await stocked(), await stocked()];
    failNext(disturbed.service, fault);

    await write(quiet);
    await write(disturbed);

    expect(effectOn(disturbed.service)).toEqual(effectOn(quiet.service));
  });
});

describe("a read is retried", () => {
  it.each(FAULT_NAMES)("%s", async (fault) => {
    const { client, service } = await stocked();
    failNext(service, fault, fault, fault, fault);

    expect((await client.tags.list()).map(({ name }) => name)).toEqual(["Print", "Web"]);
    expect(service.calls).toHaveLength(5);
  });
});

it.each([
  [500, {}],
  [503, { "Retry-After": "5" }],
  [429, { "Retry-After": "60" }],
  [409, { "Retry-After": "1" }],
])("after five tries the call fails with the last response: %i", async (status, headers) => {
  const { client, service } = await stocked();
  service.onCall = async () => refused(status, headers);

  expect(await failureOf(client.links.create({ destination_url: DESTINATION }))).toMatchObject({ status });
  expect(service.calls).toHaveLength(5);
});

it("after five tries without a response the call fails with status 0 and the reason", async () => {
  const { client, service } = await stocked();
  service.onCall = async () => dropped();

  expect(await failureOf(client.tags.list())).toMatchObject({
    name: "WaymarkError",
    status: 0,
    message: "No response from https://go.example.com: fetch failed: read ECONNRESET",
  });
  expect(service.calls).toHaveLength(5);
});

it.each([301, 401, 403, 404, 405, 412, 413, 422, 451])("%i is not retried", async (status) => {
  const { client, service } = await stocked();
  service.onCall = async () => Response.json({ message: "No." }, { status });

  expect(await failureOf(client.tags.list())).toMatchObject({ status, message: "No." });
  expect(service.calls).toHaveLength(1);
});

it("Retry-After is honoured", async () => {
  const { client, service, clock } = await stocked();
  failNext(service, "503", "409", "429");
  await client.tags.list();

  // Plus half of the 250 ms of jitter.
  expect(clock.waits).toEqual([5125, 1125, 60_125]);
});

it("with a Retry-After of more than two minutes the call fails at once", async () => {
  const { client, service, clock } = await stocked();
  service.onCall = async () => refused(503, { "Retry-After": "121" });

  expect(await failureOf(client.tags.list())).toMatchObject({ status: 503, retryAfter: 121 });
  expect(clock.waits).toEqual([]);
});

it("without Retry-After the delay doubles each time, with jitter of up to half", async () => {
  const { client, service, clock } = await stocked();
  failNext(
    service,
    "500 before the call took effect",
    "500 before the call took effect",
    "500 before the call took effect",
    "500 before the call took effect",
  );
  await client.tags.list();

  expect(clock.waits).toEqual([187.5, 375, 750, 1500]);
});

it("after 429 the other calls wait too", async () => {
  const { client, service, clock } = await stocked();
  const sent: number[] = [];
  service.onCall = async (_, answer) => {
    sent.push(clock.now());
    return sent.length === 1 ? refused(429, { "Retry-After": "60" }) : answer();
  };
  const { sleep } = clock;
  const isWaiting = new Promise<void>((resolve) => {
    clock.sleep = (ms) => {
      resolve();
      return sleep(ms);
    };
  });
  const first = client.tags.list();
  await isWaiting;
  await Promise.all([first, client.tags.list(), client.tags.list()]);

  expect(sent).toEqual([0, 60_125, 60_125, 60_125]);
});

it("all tries of a POST send one Idempotency-Key, and another call sends another one", async () => {
  const { client, service } = await stocked();
  failNext(service, "the response is truncated", "503", "the connection ends before the call took effect");
  await client.links.create({ destination_url: DESTINATION });
  await client.links.create({ destination_url: DESTINATION });

  const keys = service.calls.map(({ headers }) => headers.get("Idempotency-Key"));
  expect(keys).toHaveLength(5);
  expect(new Set(keys.slice(0, 4)).size).toBe(1);
  expect(keys[4]).not.toBe(keys[3]);
  expect(keys[0]).toMatch(/^[\da-f-]{36}$/);
});

describe("deleting an unknown link fails", () => {
  it("on the first try", async () => {
    const { client } = await stocked();
    expect(await failureOf(client.links.delete("01JZ8Q4V6T3K9M2N5P7R8S0W1X"))).toMatchObject({
      status: 404,
      message: "Link not found.",
    });
  });

  it("after a try that the service refused", async () => {
    const { client, service } = await stocked();
    failNext(service, "429");
    expect(await failureOf(client.links.delete("01JZ8Q4V6T3K9M2N5P7R8S0W1X"))).toMatchObject({ status: 404 });
  });

  it("if the workspace is suspended", async () => {
    const { client, service } = await stocked();
    const answers = [dropped, () => Response.json({ message: "Workspace not found." }, { status: 404 })];
    service.onCall = async () => answers.shift()?.() ?? refused(500);
    expect(await failureOf(client.links.delete("01JZ8Q4V6T3K9M2N5P7R8S0W1X"))).toMatchObject({
      message: "Workspace not found.",
    });
  });
});

describe("412 after a lost response is an error if someone else changed", () => {
  const loseFirst = ({ service }: Setup, changeMeanwhile: () => void) => {
    const { length } = service.calls;
    service.onCall = async (_, answer) => {
      if (service.calls.length > length + 1) return answer();
      changeMeanwhile();
      return dropped();
    };
  };

  it("the link", async () => {
    const one = await stocked();
    const [link, ifMatch] = [firstLink(one), await etagOfFirst(one)];
    loseFirst(one, () => Object.assign(link ?? {}, { title: "Theirs" }));

    expect(
      await failureOf(one.client.links.update(idOf(link), { title: "Ours" }, { ifMatch })),
    ).toMatchObject({
      status: 412,
      message: "The link has changed since it was read.",
    });
    expect(firstLink(one)?.title).toBe("Theirs");
  });

  it("the tag", async () => {
    const one = await stocked();
    const [tag] = await one.client.tags.list();
    const ifMatch = tag === undefined ? "" : await etagOf(tag);
    loseFirst(one, () => Object.assign(one.service.state.tags[0] ?? {}, { name: "Theirs" }));

    expect(await failureOf(one.client.tags.update(idOf(tag), { name: "Ours" }, { ifMatch }))).toMatchObject({
      status: 412,
      message: "The tag has changed since it was read.",
    });
    expect(one.service.state.tags[0]?.name).toBe("Theirs");
  });
});

it("a request without a response for 30 seconds is retried", async () => {
  const { service, clock } = await stocked();
  const shorter = AbortSignal.timeout(5);
  const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValueOnce(shorter);
  const silentOnce: typeof fetch = (url, init) => {
    if (init?.signal !== shorter) return service.fetch(url, init);
    return new Promise((_, reject) => shorter.addEventListener("abort", () => reject(shorter.reason)));
  };
  try {
    const tags = await waymark({ ...service, fetch: silentOnce }, clock).tags.list();
    expect(tags).toHaveLength(2);
    expect(timeout.mock.calls).toEqual([[30_000], [30_000]]);
  } finally {
    timeout.mockRestore();
  }
});
