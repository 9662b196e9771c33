import { env } from "cloudflare:test";
import { expect, it, vi } from "vitest";
import type { VisitBuffer } from "../../src/analytics/visit-buffer";
import { makeWorkspace } from "../harness";
import { failuresOf } from "../log";
import { clicksIn } from "./platform";

it("a referrer counts by its registrable domain, or by two labels while the public suffixes cannot be read", async () => {
  vi.resetModules();
  const { flush } = await import("../../src/analytics/flush");
  const { id: link } = await (await makeWorkspace()).link();
  const visit = {
    ...{ link, asset: null, isAfterEnd: false, rule: null, at: Date.now(), follows: true },
    ...{ agent: "Mozilla/5.0 Firefox/140.0", referrer: "https://www.news.co.uk", country: "CH" },
  };
  const flushOne = (files: Fetcher | undefined) => {
    const buffer: VisitBuffer = { visits: [visit], abandonedAt: 0, batches: new Map() };
    return flush(buffer, { DB: env.DB, ...(files && { ASSETS: files }) });
  };
  const broken = { fetch: async () => new Response("", { status: 500 }) } as unknown as Fetcher;
  const failures = await failuresOf(() => flushOne(broken));
  expect(failures).toMatchObject([{ level: "error", request_id: "visits", error: "Error" }]);
  expect(failures).toHaveLength(1);
  await flushOne(env.ASSETS);
  expect(await clicksIn(link)).toBe(2);
  const { results } = await env.DB.prepare(
    "select key as value, value as visits from visit_days join json_each(origins, '$.referrer') where owner_kind = 'link' order by 1",
  ).all();
  expect(results).toEqual([
    { value: "co.uk", visits: 1 },
    { value: "news.co.uk", visits: 1 },
  ]);
});
