import { env } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import { makeWorkspace } from "../harness";
import { addsBatch, clicksIn, ownD1, simulateInstance } from "./platform";

const SECOND_MS = 1_000;

let instance: ReturnType<typeof simulateInstance> | undefined;
afterEach(() => {
  vi.restoreAllMocks();
  instance?.restore();
});

async function makeLink(): Promise<string> {
  const ws = await makeWorkspace();
  return (await ws.link()).id;
}

describe("clicks of a request that Cloudflare cancels 30 seconds after its response", () => {
  it.each([
    ["20", 20],
    ["1e9", 20],
    ["", 5],
  ])("are written with CLICK_PACK_SECONDS = %j, after %i seconds", async (seconds, written) => {
    const link = await makeLink();
    instance = simulateInstance(seconds);
    instance.visit(link);
    await instance.advance(written * SECOND_MS - 1);
    expect(await clicksIn(link)).toBe(0);
    await instance.advance(1);
    expect(await clicksIn(link)).toBe(1);
  });

  it("are not recorded with CLICK_PACK_SECONDS = 0", async () => {
    const link = await makeLink();
    instance = simulateInstance("0");
    instance.visit(link);
    await instance.advance(60 * SECOND_MS);
    expect(await clicksIn(link)).toBe(0);
  });

  it("are written by a later visit if the request that should write them is cancelled", async () => {
    const link = await makeLink();
    instance = simulateInstance("5");
    const cancel = instance.visit(link);
    await instance.advance(SECOND_MS);
    cancel();
    await instance.advance(60 * SECOND_MS);
    instance.visit(link);
    await instance.settle();
    expect(await clicksIn(link)).toBe(2);
    instance.visit(link);
    await instance.advance(5 * SECOND_MS);
    expect(await clicksIn(link)).toBe(3);
  });

  it("count once if the request is cancelled between D1's commit and its response", async () => {
    const link = await makeLink();
    const lines = vi.spyOn(console, "error").mockReturnValue();
    let packs = 0;
    instance = simulateInstance(
      "5",
      ownD1(async (statements) => {
        const isPack = addsBatch(statements);
        if (isPack) packs++;
        const results = await env.DB.batch(statements);
        if (!isPack || packs > 1) return results;
        cancel();
        return new Promise<never>(() => undefined);
      }),
    );
    const cancel = instance.visit(link);
    void instance.advance(5 * SECOND_MS);
    await expect.poll(() => packs).toBe(1);
    for (let visit = 0; visit < 3; visit++) {
      instance.visit(link);
      await instance.advance(31 * SECOND_MS);
    }
    expect(await clicksIn(link)).toBe(4);
    expect(packs).toBe(5);
    expect(lines).not.toHaveBeenCalled();
  });

  it("count once if a later visit writes them while the first write is only slow", async () => {
    const link = await makeLink();
    const released: (() => void)[] = [];
    let packs = 0;
    instance = simulateInstance(
      "5",
      ownD1(async (statements) => {
        const isFirst = addsBatch(statements) && packs++ === 0;
        if (isFirst) await new Promise<void>((resolve) => released.push(resolve));
        return env.DB.batch(statements);
      }),
    );
    instance.visit(link);
    void instance.advance(5 * SECOND_MS);
    await expect.poll(() => released.length).toBe(1);
    const cancelled = instance;
    for (let visit = 0; visit < 12; visit++) {
      cancelled.visit(link);
      void cancelled.advance(5 * SECOND_MS);
      await expect.poll(() => packs).toBeGreaterThan(visit + 1);
    }
    released[0]?.();
    await instance.settle();
    expect(await clicksIn(link)).toBe(13);
  });
});
