import { afterEach, describe, expect, it, vi } from "vitest";
import { createApiKey } from "../../src/access/keys";
import { hurry, makeWorkspace } from "../harness";
import { conflictOf, held, isReplay, keyed, LINK, linksOf, post, REUSED_BODY, RUNNING, seen } from "./keyed";
import { refusal } from "./refusals";

const SECOND = 1000;
const HOUR = 3600 * SECOND;
afterEach(() => vi.useRealTimers());

describe("an Idempotency-Key", () => {
  it("belongs to the API key that sent it", async () => {
    const [ws, other] = [await makeWorkspace(), await makeWorkspace()];
    const second = await createApiKey(ws.ctx, { name: "second" });
    const { headers } = keyed();
    const answers = [
      await post(ws, { body: LINK, headers }),
      await post(ws, { body: LINK, headers: { ...headers, authorization: `Bearer ${second.key}` } }),
      await post(other, { body: { ...LINK, title: "Other" }, headers }),
    ];
    expect(answers.map((answer) => [answer.status, isReplay(answer)])).toEqual(Array(3).fill([201, false]));
    expect(new Set(answers.map(({ body }) => body.link.id)).size).toBe(3);
  });

  it.each(["", "two words", "tab\there", "\u007f", "k".repeat(256), "a, b"])(
    "is refused if it is %j",
    async (key) => {
      const ws = await makeWorkspace();
      const answer = await post(ws, { body: LINK, ...keyed(key) });
      const message = "The idempotency key must be 1 to 255 visible ASCII characters.";
      expect([answer.status, answer.body]).toEqual([422, refusal("idempotency_key", message)]);
      expect(await linksOf(ws)).toEqual([]);
    },
  );

  it.each(["k", "k".repeat(255), "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"])("may be %j", async (key) => {
    const ws = await makeWorkspace();
    const request = { body: { ...LINK, title: "Ü" }, ...keyed(key) };
    const first = await post(ws, request);
    expect(first.status).toBe(201);
    expect(seen(await post(ws, request))).toEqual(seen(first));
  });

  it("is ignored on requests other than POST, even if malformed or used", async () => {
    const ws = await makeWorkspace();
    const key = crypto.randomUUID();
    const { body } = await post(ws, { body: LINK, ...keyed(key) });
    const path = `/api/v1/links/${body.link.id}`;
    for (const each of [key, "two words"]) {
      for (const title of ["One", "Two"]) {
        const answer = await ws.call("PATCH", path, { body: { title }, ...keyed(each) });
        expect([answer.status, answer.body.link.title, isReplay(answer)]).toEqual([200, title, false]);
      }
      expect((await ws.call("GET", path, keyed(each))).status).toBe(200);
    }
    expect((await ws.call("DELETE", path, keyed("two words"))).status).toBe(204);
    expect((await ws.call("DELETE", path, keyed("two words"))).status).toBe(404);
  });

  it("is valid for 24 hours, then free for any request", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const start = Date.now();
    const ws = await makeWorkspace();
    const key = keyed();
    const first = await post(ws, { body: LINK, ...key });
    vi.setSystemTime(start + 24 * HOUR - SECOND);
    expect(seen(await post(ws, { body: LINK, ...key }))).toEqual(seen(first));
    expect((await post(ws, { body: { ...LINK, title: "Other" }, ...key })).status).toBe(422);
    vi.setSystemTime(start + 24 * HOUR + SECOND);
    const second = await post(ws, { body: { ...LINK, title: "Other" }, ...key });
    expect([second.status, isReplay(second)]).toEqual([201, false]);
    expect(seen(await post(ws, { body: { ...LINK, title: "Other" }, ...key }))).toEqual(seen(second));
    expect(await linksOf(ws)).toHaveLength(2);
  });
});

describe("a request that never finished", () => {
  async function lapsing() {
    vi.useFakeTimers({ toFake: ["Date"] });
    const start = Date.now();
    const ws = await makeWorkspace();
    const request = { body: LINK, ...keyed() };
    const slow = held(ws, "/api/v1/links", request);
    await slow.reached;
    return { ws, request, slow, elapse: (milliseconds: number) => vi.setSystemTime(start + milliseconds) };
  }

  it("holds its key for 30 s, then loses it", async () => {
    const { ws, request, slow, elapse } = await lapsing();
    elapse(29 * SECOND);
    const waited = hurry();
    expect(conflictOf(await post(ws, request))).toEqual(RUNNING);
    waited.done();
    elapse(31 * SECOND);
    const second = await post(ws, request);
    expect([second.status, isReplay(second)]).toEqual([201, false]);
    await slow.letGo();
  });

  it("but continues late creates no second link, and gets the existing one", async () => {
    const { ws, request, slow, elapse } = await lapsing();
    elapse(31 * SECOND);
    const second = await post(ws, request);
    const late = await slow.letGo();
    expect(seen(late)).toEqual(seen(second));
    expect(isReplay(late)).toBe(true);
    expect(await linksOf(ws)).toEqual([second.body.link]);
    expect(seen(await post(ws, request))).toEqual(seen(second));
  });

  it("but continues late is refused and creates nothing if another request has taken its key", async () => {
    const { ws, request, slow, elapse } = await lapsing();
    elapse(31 * SECOND);
    const other = { ...request, body: { ...LINK, title: "Other" } };
    const second = await post(ws, other);
    expect(second.status).toBe(201);
    const late = await slow.letGo();
    expect([late.status, late.body]).toEqual([422, REUSED_BODY]);
    expect(await linksOf(ws)).toEqual([second.body.link]);
    expect(seen(await post(ws, other))).toEqual(seen(second));
  });

  it("but continues late takes effect once if no other request came", async () => {
    const { ws, request, slow, elapse } = await lapsing();
    elapse(31 * SECOND);
    const late = await slow.letGo();
    expect([late.status, isReplay(late)]).toEqual([201, false]);
    expect(seen(await post(ws, request))).toEqual(seen(late));
    expect(await linksOf(ws)).toEqual([late.body.link]);
  });
});
