import "./node-version";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createInterface, type Interface } from "node:readline";
import { experimental_readRawConfig, type Unstable_RawConfig } from "wrangler";
import { parseJsonObject } from "../lib/json";
import { openCloudflare } from "./cloudflare";
import { deploy } from "./deployment";
import { hasDnsRecords } from "./dns";
import { DEPLOYED_CONFIG } from "./platform";
import { print, run } from "./run";
import { runWrangler } from "./wrangler";

function readSavedConfig(): Unstable_RawConfig | undefined {
  if (!existsSync(DEPLOYED_CONFIG)) return undefined;
  const config = parseJsonObject(readFileSync(DEPLOYED_CONFIG, "utf8"));
  if (config !== undefined) return config;
  throw new Error(
    `${DEPLOYED_CONFIG} is not JSON. delete it, and deploy again: it is then made of what is deployed.`,
  );
}

let terminal: Interface | undefined;
let lines: NodeJS.AsyncIterator<string> | undefined;

/** Asks in the terminal. `terminal: false` leaves line editing to it, so Ctrl-C ends the command as usual. */
async function ask(question: string): Promise<string> {
  // All questions share one interface: a second one would lose lines that the first has read ahead.
  terminal ??= createInterface({ input: process.stdin, terminal: false });
  lines ??= terminal[Symbol.asyncIterator]();
  process.stdout.write(question);
  const { done, value } = await lines.next();
  if (done === true) throw new Error("\nNothing was changed.");
  return value;
}

await run(async () => {
  await deploy({
    args: process.argv.slice(2),
    environment: process.env,
    wrangler: runWrangler,
    cloudflare: openCloudflare(runWrangler, process.env),
    config: experimental_readRawConfig({ config: "wrangler.toml" }).rawConfig,
    savedConfig: readSavedConfig(),
    version: JSON.parse(readFileSync("package.json", "utf8")).version,
    saveConfig: (config) => writeFileSync(DEPLOYED_CONFIG, `${JSON.stringify(config, null, 2)}\n`),
    ask: process.stdin.isTTY && process.stdout.isTTY ? ask : undefined,
    hasDnsRecords: (host) => hasDnsRecords(host),
    print,
  });
  terminal?.close();
});
