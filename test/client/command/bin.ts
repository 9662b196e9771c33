import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundleCommand } from "../../../src/client/build/bundle";
import { plainEnvironment, ROOT, type Started, start, temporaryDirectory } from "../../cli/terminal";

/** Builds the command as it is packed, in a directory of its own, because other tests build the package too. */
export async function buildBin(): Promise<string> {
  const folder = temporaryDirectory();
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  symlinkSync(join(ROOT, "src/client/node_modules"), join(folder, "node_modules"));
  await bundleCommand(join(folder, "dist"));
  return join(folder, "dist/waymark.js");
}

export interface Address {
  url: string;
  key: string;
}

/** Starts the built command as a process of its own group. */
export const startBin = (bin: string, { url, key }: Address, argv: readonly string[]): Started =>
  start(process.env["CLIENT_NODE"] ?? process.execPath, [bin, ...argv], {
    env: plainEnvironment({ WAYMARK_URL: url, WAYMARK_KEY: key }),
  });
