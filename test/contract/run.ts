import "../../src/cli/node-version";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { api } from "../../src/api/api-app";
import { openApiText } from "../../src/api/document";
import { installTools } from "../install-tools";
import { compileClients } from "./clients";
import { run } from "./processes";

// Public tools read the OpenAPI document as a client's developer would use them. Nothing leaves the machine but the
// installation of the tools.

const HERE = fileURLToPath(new URL(".", import.meta.url));
const MODULES = join(HERE, "node_modules");

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
  const path = join(folder, "openapi.json");
  const document = JSON.parse(openApiText(api, { baseUrl: "https://waymark.example" }));
  // With line breaks, because Redocly and Spectral name lines.
  writeFileSync(path, JSON.stringify(document, null, 2));
  // The generated clients import packages.
  symlinkSync(MODULES, join(folder, "node_modules"));

  await Promise.all([
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
    check("clients of hey-api and orval compile", () => compileClients(folder, path, tool)),
  ]);
}

const folder = mkdtempSync(join(tmpdir(), "waymark-contract-"));
try {
  const since = Date.now();
  await installTools(HERE);
  console.log(`ok  the tools are installed (${seconds(since)})`);
  // CI installs the tools while it waits for something else.
  if (!process.argv.includes("--install")) await runChecks(folder);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failed === 0 ? 0 : 1;
