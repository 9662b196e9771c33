import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { beforeAll, expect, it } from "vitest";
import { takeShare } from "../../../../src/http/fair-shares";
import { newTrace } from "../../../../src/http/request-log";
import { listLinksQuery } from "../../../../src/resources/links/link-schema";
import { listLinks } from "../../../../src/resources/links/list-links";
import worker from "../../../../src/worker";
import { API, makeWorkspace, otherInstance, type TestWorkspace } from "../../../harness";

// What a list leaves out of long links is read once the instance has room for it.

let ws: TestWorkspace;

beforeAll(async () => {
  ws = await makeWorkspace();
  const url = `https://www.example.com/${"漢".repeat(2_000)}`;
  const names = Array.from({ length: 30 }, (_, number) => `tag ${number}`);
  for (const name of names)
    await ws.call("POST", "/api/v1/tags", { body: { name, description: "é".repeat(255) } });
  const rules = [{ destination_url: url, countries: ["CH"] }];
  for (const body of [
    { slug: `${ws.slug}-rules`, destination_url: "https://www.example.com/", rules },
    { slug: `${ws.slug}-plain`, destination_url: "https://www.example.com/" },
    { slug: `${ws.slug}-tags`, destination_url: "https://www.example.com/", tag_names: names },
    { slug: `${ws.slug}-url`, destination_url: url },
  ])
    expect((await ws.call("POST", "/api/v1/links", { body })).status).toBe(201);
});

it.each(["created_at", "-updated_at", "slug", "title"])(
  "a list by %s has long links as they are",
  async (sort) => {
    const { body } = await ws.call("GET", `/api/v1/links?sort=${sort}`);
    expect(body.links.length).toBe(4);
    for (const link of body.links)
      expect(link).toEqual((await ws.call("GET", `/api/v1/links/${link.id}`)).body);
  },
);

it("asks for room for the bytes of the long links alone", async () => {
  const held: number[] = [];
  const hold = async (bytes: number) => void held.push(bytes);
  await listLinks({ ...ws.ctx, hold }, listLinksQuery.parse({}));
  const [bytes = 0] = held;
  // Twice a destination of 6,000 bytes, and 30 tags of some 700.
  expect(held.length).toBe(1);
  expect(bytes).toBeGreaterThan(2 * 6_000 + 30 * 600);
  expect(bytes).toBeLessThan(2 * 7_000 + 30 * 1_000);
  held.length = 0;
  await listLinks({ ...ws.ctx, hold }, listLinksQuery.parse({ slug: [`${ws.slug}-plain`] }));
  expect(held).toEqual([]);
});

it("a HEAD of a list with long links keeps no room", async () => {
  const { status, text } = await ws.call("HEAD", "/api/v1/links", { env: otherInstance() });
  expect([status, text]).toEqual([200, ""]);
});

it("the room is kept until the answer has been read", async () => {
  const env = otherInstance();
  const execution = createExecutionContext();
  const headers = { authorization: `Bearer ${ws.key}` };
  const response = await worker.fetch(
    new Request(`${API}/api/v1/links`, { headers }) as never,
    env,
    execution,
  );
  const events: string[] = [];
  const next = { env, executionCtx: { waitUntil: () => undefined }, var: { trace: newTrace("next") } };
  const all = 12_000_000;
  const taking = takeShare(next as never, "long", { caller: "key:OTHER", workspaceId: 0 }, all).then(() =>
    events.push("next"),
  );
  await new Promise((resolve) => setTimeout(resolve, 100));
  events.push("read");
  expect((await response.json<{ links: unknown[] }>()).links.length).toBe(4);
  await waitOnExecutionContext(execution);
  await taking;
  expect(events).toEqual(["read", "next"]);
});
