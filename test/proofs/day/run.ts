import "../../../src/cli/node-version.ts";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { readCompatibility } from "../bench/modules";
import { migrationsOf } from "../bench/servers";
import { writeResults } from "./results";
import { LARGE, SCENARIOS, type Scenario } from "./scenarios";
import type { Result } from "./simulate";

// Runs every day, two at a time, each in a workerd of its own. Words in the arguments choose days by their names.

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const AT_ONCE = 2;

async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(ROOT, "test/proofs/day/worker.ts")],
    outdir: "day",
    bundle: true,
    // One module, since `import()` of another takes turns of the real event loop.
    splitting: false,
    minify: true,
    keepNames: true,
    format: "esm",
    target: "es2024",
    conditions: ["workerd", "worker", "browser"],
    external: ["cloudflare:workers"],
    write: false,
  });
  return outputFiles[0]?.text ?? "";
}

async function run(script: string, scenario: Scenario): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "day-"));
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      name: "day",
      modules: [{ type: "ESModule", path: "worker.js", contents: script }],
      ...readCompatibility(),
      durableObjects: { DAY: { className: "Day", useSQLite: true } },
      resourcePersistencePath: folder,
      cf: false,
    }),
  );
  try {
    const response = await miniflare.dispatchFetch("https://day.example/", {
      method: "POST",
      body: JSON.stringify({ migrations, scenario }),
    });
    if (!response.ok) throw new Error(`${scenario.name}: ${await response.text()}`);
    return (await response.json()) as Result;
  } finally {
    await miniflare.dispose();
    rmSync(folder, { recursive: true, force: true });
  }
}

const words = process.argv.slice(2);
const all = [...SCENARIOS, ...LARGE];
const chosen = all.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
const startedAt = Date.now();
const migrations = migrationsOf(join(ROOT, "migrations")).flatMap((file) =>
  file.split("--> statement-breakpoint"),
);
const script = await bundle();
const results = new Map<string, Result>();
// The longest first, so that the cores end together.
const waiting = chosen.toSorted((one, other) => weightOf(other) - weightOf(one));

function weightOf({ visits, minutes }: Scenario): number {
  return (visits * (minutes ?? 2880)) / 1440;
}

await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    for (let scenario = waiting.shift(); scenario !== undefined; scenario = waiting.shift()) {
      const at = Date.now();
      results.set(scenario.name, await run(script, scenario));
      process.stderr.write(`${scenario.name}: ${((Date.now() - at) / 1000).toFixed(0)} s\n`);
    }
  }),
);
const ordered = chosen.flatMap(({ name }) => results.get(name) ?? []);
writeResults(ordered, chosen.length === all.length, (Date.now() - startedAt) / 1000);
