import { rmSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { build, type Plugin } from "esbuild";
import { writeFolder } from "./built-files";
import { messageOf } from "./run";

/** The folder of `main` in wrangler.toml. */
const TARGET = join(".wrangler", "build");

const smaller: Plugin = {
  name: "smaller",
  setup({ onResolve }) {
    // The parts of zod that the service uses, in place of all of them.
    onResolve({ filter: /^zod$/ }, () => ({ path: resolve("src", "lib", "zod.ts") }));
    // Hono's package does not say so, and esbuild would keep its JSX for browsers, which nothing imports.
    onResolve({ filter: /^\.\.?\/.+\.js$/ }, ({ path, resolveDir }) =>
      /[\\/]node_modules[\\/]hono[\\/]/.test(resolveDir)
        ? { path: resolve(resolveDir, path), sideEffects: false }
        : undefined,
    );
  },
};

/** Modules and source maps, split where the code says `import()`. The metafile says which sources are in which module. */
export const buildModules = (entry = "src/worker.ts") =>
  build({
    entryPoints: [entry],
    outdir: TARGET,
    // As `rules` in wrangler.toml has it. A broader rule would also hold for the packages that the tests load.
    chunkNames: "waymark-[name]-[hash]",
    bundle: true,
    splitting: true,
    minify: true,
    sourcemap: true,
    format: "esm",
    target: "es2024",
    conditions: ["workerd", "worker", "browser"],
    plugins: [smaller],
    metafile: true,
    write: false,
  });

export async function writeModules(folder: string, entry?: string): Promise<void> {
  const { outputFiles } = await buildModules(entry);
  writeFolder(folder, new Map(outputFiles.map(({ path, contents }) => [basename(path), contents])));
}

/** Fills the folder that wrangler serves or uploads, which has no modules of an earlier build. */
export async function makeModules(): Promise<void> {
  try {
    await writeModules(TARGET);
  } catch (error) {
    rmSync(TARGET, { recursive: true, force: true });
    // wrangler sets the variable. While its build fails, `wrangler dev` would let requests wait, and print much else.
    if (process.env["WRANGLER_COMMAND"] !== "dev") throw error;
    const answer = `export default { fetch: () => new Response(${JSON.stringify(messageOf(error))}, { status: 500 }) }`;
    writeFolder(TARGET, new Map([["worker.js", Buffer.from(answer)]]));
  }
}
