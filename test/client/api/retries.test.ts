import { describe, expect, it, vi } from "vitest";
import { waymark } from "../../../src/client/api/client";
import { dropped, refused } from "../fake-service";
import { waits } from "../instant-time";
import { FAULT_NAMES, failNext, failureOf } from "./setup";
import { DESTINATION, stocked } from "./stocked";

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
  const { client, service } = await stocked();
  failNext(service, "503", "409", "429");
  await client.tags.list();

  // Plus half of the 250 ms of jitter.
  expect(waits()).toEqual([5125, 1125, 60_125]);
});

it("whoever made the client hears of waits that last", async () => {
  const { service } = await stocked();
  const onWait = vi.fn();
  const client = waymark({ ...service, onWait });
  failNext(service, "500 before the call took effect");
  await client.tags.list();
  expect(onWait).not.toHaveBeenCalled();
  failNext(service, "503", "429");
  await client.tags.list();
  expect(onWait.mock.calls).toEqual([
    [{ seconds: 5, error: expect.objectContaining({ status: 503 }) }],
    [{ seconds: 60, error: expect.objectContaining({ status: 429, message: "Too Many Attempts." }) }],
  ]);
});

it("with a Retry-After of more than two minutes the call fails at once", async () => {
  const { client, service } = await stocked();
  service.onCall = async () => refused(503, { "Retry-After": "121" });

  expect(await failureOf(client.tags.list())).toMatchObject({ status: 503, retryAfter: 121 });
  expect(waits()).toEqual([]);
});

it("without Retry-After the delay doubles each time, with jitter of up to half", async () => {
  const { client, service } = await stocked();
  const fault = "500 before the call took effect";
  failNext(service, fault, fault, fault, fault);
  await client.tags.list();

  expect(waits()).toEqual([187.5, 375, 750, 1500]);
});

it("after 429 the other calls wait too", async () => {
  const { client, service } = await stocked();
  const begun = performance.now();
  const sent: number[] = [];
  service.onCall = async (_, answer) => {
    sent.push(performance.now() - begun);
    return sent.length === 1 ? refused(429, { "Retry-After": "60" }) : answer();
  };
  const first = client.tags.list();
  while (waits().length === 0) await Promise.resolve();
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

it("a request without a response for 30 seconds is retried", async () => {
  const { service } = await stocked();
  const shorter = AbortSignal.timeout(5);
  const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValueOnce(shorter);
  const silentOnce: typeof fetch = (url, init) => {
    if (init?.signal !== shorter) return service.fetch(url, init);
    return new Promise((_, reject) => shorter.addEventListener("abort", () => reject(shorter.reason)));
  };
  try {
    const tags = await waymark({ ...service, fetch: silentOnce }).tags.list();
    expect(tags).toHaveLength(2);
    expect(timeout.mock.calls).toEqual([[30_000], [30_000]]);
  } finally {
    timeout.mockRestore();
  }
});
