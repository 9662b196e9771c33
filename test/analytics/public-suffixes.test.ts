import { env } from "cloudflare:test";
import { expect, it, vi } from "vitest";
import type { VisitBuffer } from "../../src/analytics/visit-buffer";
import { makeWorkspace } from "../harness";
import { clicksIn } from "./platform";

it("visits wait in memory until the public suffixes can be read, and count for the registrable domain", async () => {
  vi.resetModules();
  const { flush } = await import("../../src/analytics/flush");
  const { id: link } = await (await makeWorkspace()).link();
  const visit = {
    ...{ link, asset: null, isAfterEnd: false, rule: null, at: Date.now(), follows: true },
    ...{ agent: "Mozilla/5.0 Firefox/140.0", referrer: "https://www.news.co.uk", country: "CH" },
  };
  const buffer: VisitBuffer = { visits: [visit], abandonedAt: 0, batches: new Map() };
  const broken = { fetch: async () => new Response("", { status: 500 }) } as unknown as Fetcher;
  await expect(flush(buffer, { DB: env.DB, ASSETS: broken })).rejects.toThrow("public-suffixes.txt");
  expect(buffer.visits).toEqual([visit]);
  await flush(buffer, env);
  expect(await clicksIn(link)).toBe(1);
  const { results } = await env.DB.prepare(
    "select value from visit_days where owner_kind = 'link' and dimension = 'referrer'",
  ).all();
  expect(results).toEqual([{ value: "news.co.uk" }]);
});
