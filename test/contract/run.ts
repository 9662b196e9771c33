import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installTools } from "../install-tools";
import { compileClients } from "./clients";
import { breakDocument, publishedDocument } from "./document";
import { killAll, run, stopAll } from "./processes";
import { expectViolation, startProxy, startService, walkThrough } from "./proxy";

// Public tools read the OpenAPI document as a client's developer would use them. Nothing leaves the machine but the
// installation of the tools.

const HERE = fileURLToPath(new URL(".", import.meta.url));
const MODULES = join(HERE, "node_modules");
const MAX_MS = 300_000;

const seconds = (since: number): string => `${((Date.now() - since) / 1000).toFixed(1)} s`;
const tool = (path: string): string => join(MODULES, path);

let failed = 0;

/** Runs a check and says how it ended. The others go on after a failure. */
async function check(title: string, perform: () => Promise<unknown>): Promise<void> {
  const since = Date.now();
  try {
    const outcome = await perform();
    const note = typeof outcome === "string" && outcome.length < 200 ? `: ${outcome.trim()}` : "";
    console.log(`ok  ${title} (${seconds(since)})${note}`);
  } catch (error) {
    failed++;
    console.error(`FAILED  ${title} (${seconds(since)})\n${error instanceof Error ? error.message : error}`);
  }
}

async function runChecks(folder: string): Promise<void> {
  const document = publishedDocument("https://waymark.example");
  const path = join(folder, "openapi.json");
  const brokenPath = join(folder, "broken.json");
  // With line breaks, because Redocly and Spectral name lines.
  writeFileSync(path, JSON.stringify(document, null, 2));
  writeFileSync(brokenPath, JSON.stringify(breakDocument(document)));
  // The generated clients import packages.
  symlinkSync(MODULES, join(folder, "node_modules"));

  const service = startService(join(folder, "state"));
  const prism = tool("@stoplight/prism-cli/dist/index.js");
  await Promise.all([
    check("Prism sees no violation", async () => {
      const { url, key } = await service;
      return walkThrough(await startProxy(prism, path, url), key, document);
    }),
    check("Prism sees that a broken document is broken", async () => {
      const { url, key } = await service;
      return expectViolation(await startProxy(prism, brokenPath, url), key);
    }),
    check("Redocly: recommended-strict", () =>
      run(process.execPath, [
        tool("@redocly/cli/bin/cli.js"),
        "lint",
        path,
        "--config",
        join(HERE, "redocly.yaml"),
      ]),
    ),
    check("Spectral: oas", () =>
      run(process.execPath, [
        tool("@stoplight/spectral-cli/dist/index.js"),
        ...["lint", path, "--ruleset", join(HERE, "spectral.yaml"), "--fail-severity", "hint"],
      ]),
    ),
    check("clients of openapi-typescript, hey-api and orval compile", () =>
      compileClients(folder, path, tool),
    ),
  ]);
}

const folder = mkdtempSync(join(tmpdir(), "waymark-contract-"));
const leave = () => {
  killAll();
  rmSync(folder, { recursive: true, force: true });
  process.exit(1);
};
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, leave);
const timer = setTimeout(() => {
  console.error(`FAILED  not done after ${MAX_MS / 1000} s`);
  leave();
}, MAX_MS);
try {
  const since = Date.now();
  await installTools(HERE);
  console.log(`ok  the tools are installed (${seconds(since)})`);
  // CI installs the tools while it waits for something else.
  if (!process.argv.includes("--install")) await runChecks(folder);
} finally {
  clearTimeout(timer);
  await stopAll();
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failed === 0 ? 0 : 1;
