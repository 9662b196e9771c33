import { beforeAll, describe, expect, it } from "vitest";
import { experimental_readRawConfig } from "wrangler";
import { buildModules } from "../../../src/cli/modules";
import { loadedWith } from "../bench/modules";

// Most visits of a small service come to a new instance. It compiles what it imports while the visitor waits, and what it
// imports behind the answer is CPU of the same request.

/** What a visit of a slug that KV has loads. Each one costs every start: load what few visits need by `import()`. */
const FIRST_REDIRECT = [
  "node_modules/hono/dist/utils/ipaddr.js",
  "src/analytics/record.ts",
  "src/config.ts",
  "src/db/meter.ts",
  "src/errors.ts",
  "src/http/answer-counts.ts",
  "src/http/client-address.ts",
  "src/http/fair-shares.ts",
  "src/http/host.ts",
  "src/http/problem.ts",
  "src/http/rate-limits.ts",
  "src/http/request-log.ts",
  "src/http/site/site-pages.ts",
  "src/http/traced.ts",
  "src/lib/active-window.ts",
  "src/lib/brand-mark.ts",
  "src/lib/link-target.ts",
  "src/lib/recent-map.ts",
  "src/lib/sleep.ts",
  "src/lib/slug-text.ts",
  "src/lib/time.ts",
  "src/lib/visitor-rules.ts",
  "src/lib/visitor.ts",
  "src/lib/with-timeout.ts",
  "src/redirect/answer.ts",
  "src/redirect/find-entry.ts",
  "src/redirect/handle.ts",
  "src/redirect/slugs/cache.ts",
  "src/redirect/slugs/doubts.ts",
  "src/redirect/slugs/slug-memory.ts",
  "src/redirect/visit-state.ts",
  "src/worker.ts",
];
const MAX_BYTES = 60_000;

let metafile: Awaited<ReturnType<typeof buildModules>>["metafile"];
beforeAll(async () => {
  ({ metafile } = await buildModules());
});

it("a first redirect loads these modules, of 60,000 bytes at most", () => {
  const { sources, bytes } = loadedWith(metafile, "src/worker.ts");
  expect(sources).toEqual(FIRST_REDIRECT);
  expect(bytes).toBeLessThanOrEqual(MAX_BYTES);
});

describe("what a redirect loads later", () => {
  it.each([
    ["to write its visits", "src/analytics/flush.ts"],
    ["to add up those that wait", "src/analytics/queue.ts"],
    ["to read D1", "src/redirect/slugs/lookup.ts"],
    ["to send to D1", "src/db/send.ts"],
  ])("%s has no drizzle, schema, hono or zod", (_, source) => {
    const large = /node_modules\/(?:drizzle-orm|hono|@hono|zod)\/|^src\/db\/schema\//;
    const { sources, bytes } = loadedWith(metafile, source);
    expect(sources.filter((name) => large.test(name) && !FIRST_REDIRECT.includes(name))).toEqual([]);
    expect(bytes).toBeLessThanOrEqual(MAX_BYTES);
  });
});

it("nothing of Hono is for browsers", () => {
  expect(Object.keys(metafile.inputs)).toContain("node_modules/hono/dist/jsx/dom/render.js");
  const built = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.entries(inputs));
  const used = built.flatMap(([name, { bytesInOutput }]) => (bytesInOutput > 0 ? [name] : []));
  expect(used.filter((name) => /hono\/dist\/jsx\/(?:dom\/(?:render|hooks)|hooks)/.test(name))).toEqual([]);
});

it("`npm run dev` watches every source of the build", () => {
  const { rawConfig } = experimental_readRawConfig({ config: "wrangler.toml" });
  const watched = [rawConfig.build?.watch_dir ?? []].flat();
  const sources = Object.keys(metafile.inputs).filter((name) => name.startsWith("src/"));
  expect(sources.length).toBeGreaterThan(300);
  expect(sources.filter((name) => !watched.some((path) => `${name}/`.startsWith(`${path}/`)))).toEqual([]);
});
