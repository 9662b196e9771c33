import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type BuildOptions, build } from "esbuild";
import { dependencies } from "../package.json";

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const PACKAGE = at("../");
export const DIST = at("../dist/");
export const GENERATED = at("../generated/");

const COMMON: BuildOptions = {
  absWorkingDir: PACKAGE,
  bundle: true,
  format: "esm",
  target: "es2023",
  // `lib` finds its libraries here, because the root may not be installed.
  nodePaths: [at("../node_modules/")],
  // Ignores the root's tsconfig, which is for the Worker.
  tsconfigRaw: {},
  logLevel: "warning",
};

/** What is installed with the package is not bundled. */
const external = Object.keys(dependencies);

/** The client uses only web APIs, so it also runs in Workers, Deno and bundles. */
export const bundleClient = () =>
  build({
    ...COMMON,
    external,
    platform: "neutral",
    mainFields: ["module", "main"],
    entryPoints: { index: "index.ts" },
    outdir: DIST,
  });

/** The command. Code behind `import()` gets its own file, so commands that do not need it start faster. */
export async function bundleCommand(folder = DIST): Promise<void> {
  await build({
    ...COMMON,
    external,
    platform: "node",
    splitting: true,
    entryPoints: { waymark: "command/waymark.ts" },
    chunkNames: "command/[name]-[hash]",
    outdir: folder,
  });
  await chmod(join(folder, "waymark.js"), 0o755);
}
