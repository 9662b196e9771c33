import { env } from "cloudflare:test";
import { expect, it } from "vitest";
import { type Answer, makeWorkspace } from "../harness";
import { brokenInvariants } from "../invariants";

// As many requests as a fleet of CI runners sends. `npm test` sends a fifth.
const SHARE = env.LONG ? 1 : 1 / 5;
const CREATIONS = 200 * SHARE;
const LIMIT = 50 * SHARE;
const UPDATES = 100 * SHARE;

const times = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

/** The number of answers by status. */
const tally = (answers: readonly Answer<unknown>[]): Record<number, number> => {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

const body = { destination_url: "https://www.example.com/" };

it(`${CREATIONS} creations with one Idempotency-Key create one link, and all get its response`, async () => {
  const ws = await makeWorkspace();
  const headers = { "idempotency-key": "deployment-1" };
  const answers = await times(CREATIONS, () => ws.call("POST", "/api/v1/links", { body, headers }));
  const { 201: made = 0, 409: asked = 0 } = tally(answers);
  expect(made + asked).toBe(CREATIONS);
  expect(new Set(answers.filter(({ status }) => status === 201).map(({ text }) => text)).size).toBe(1);
  expect((await ws.call("GET", "/api/v1/links")).body.meta.total).toBe(1);
});

it(`${CREATIONS} creations with a limit of ${LIMIT} create ${LIMIT} links`, async () => {
  const ws = await makeWorkspace({ linkLimit: LIMIT });
  const answers = await times(CREATIONS, () => ws.call("POST", "/api/v1/links", { body }));
  expect(tally(answers)).toEqual({ 201: LIMIT, 422: CREATIONS - LIMIT });
  expect((await ws.call("GET", "/api/v1/links")).body.meta.total).toBe(LIMIT);
});

it(`exactly one of ${UPDATES} updates with one If-Match succeeds, in every round`, async () => {
  const ws = await makeWorkspace();
  const path = `/api/v1/links/${(await ws.link()).id}`;
  for (let round = 0; round < 3; round++) {
    const headers = { "if-match": (await ws.call("GET", path)).headers.get("etag") };
    const answers = await times(UPDATES, (index) =>
      ws.call("PATCH", path, { body: { title: `${round} ${index}` }, headers }),
    );
    expect(tally(answers)).toEqual({ 200: 1, 412: UPDATES - 1 });
    const winner = answers.find(({ status }) => status === 200);
    expect((await ws.call("GET", path)).body).toEqual(winner?.body.link);
  }
});

it("attaching, detaching and deleting one tag at once leaves no orphan", async () => {
  const ws = await makeWorkspace();
  for (let round = 0; round < 5; round++) {
    const [tag, links] = [await ws.tag(), await times(4, () => ws.link())];
    const answers = await times(40, (index) => {
      const path = `/api/v1/links/${links[index % 4]?.id}/tags`;
      if (index === 20) return ws.call("DELETE", `/api/v1/tags/${tag.id}`);
      return index % 3 === 0
        ? ws.call("DELETE", `${path}/${tag.id}`)
        : ws.call("POST", path, { body: { tag_ids: [tag.id] } });
    });
    expect(
      Object.keys(tally(answers))
        .map(Number)
        .filter((status) => status >= 500),
    ).toEqual([]);
    for (const { id } of links) expect((await ws.call("GET", `/api/v1/links/${id}`)).body.tags).toEqual([]);
    expect(await brokenInvariants()).toEqual([]);
  }
});
