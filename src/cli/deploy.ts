import { writeFileSync } from "node:fs";
import { experimental_readRawConfig } from "wrangler";
import { deploy } from "./deployment";
import { DEPLOYED_CONFIG } from "./platform";
import { runWrangler } from "./wrangler";

try {
  await deploy({
    args: process.argv.slice(2),
    wrangler: runWrangler,
    config: experimental_readRawConfig({ config: "wrangler.toml" }).rawConfig,
    keep: (config) => writeFileSync(DEPLOYED_CONFIG, `${JSON.stringify(config, null, 2)}\n`),
    say: (line) => process.stdout.write(`${line}\n`),
  });
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
