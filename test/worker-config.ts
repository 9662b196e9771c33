import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { experimental_readRawConfig } from "wrangler";
import { writeFolder } from "../src/cli/built-files.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const FOLDER = join(ROOT, ".wrangler", "tests");
const FILE = "wrangler.json";

/** Writes wrangler.toml into a folder of its own and returns the path. wrangler reads `.dev.vars` and `.env` beside a configuration. */
export function workerConfig(): string {
  const { rawConfig } = experimental_readRawConfig({ config: join(ROOT, "wrangler.toml") });
  const { build: _, assets, ...config } = rawConfig;
  const directory = join(ROOT, assets?.directory ?? "");
  const main = join(ROOT, "src/worker.ts");
  const content = JSON.stringify({ ...config, main, assets: { ...assets, directory } });
  writeFolder(FOLDER, new Map([[FILE, Buffer.from(content)]]));
  return join(FOLDER, FILE);
}
