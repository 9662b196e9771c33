import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { cleanUp, plainEnvironment, ROOT, start, temporaryDirectory } from "./terminal";

// The command that wrangler runs before it serves or uploads the Worker.

afterAll(cleanUp);

const LATER = `export const later = "a module of its own";`;
const WORKER = `import { NAME } from "./lib/name";
export default { fetch: async () => new Response(NAME + (await import("./later")).later) };`;

/** A project with this Worker and our commands. */
function project(worker: string) {
  const directory = temporaryDirectory();
  mkdirSync(join(directory, "src/lib"), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(directory, "node_modules"));
  symlinkSync(join(ROOT, "src/cli"), join(directory, "src/cli"));
  const write = (name: string, text: string) => writeFileSync(join(directory, "src", name), text);
  write("lib/name.ts", 'export const NAME: string = "name";');
  write("later.ts", LATER);
  write("worker.ts", worker);
  const built = join(directory, ".wrangler/build");
  const build = (more: NodeJS.ProcessEnv = {}) =>
    start("node", ["--import", "tsx", "src/cli/build.ts"], {
      cwd: directory,
      env: plainEnvironment(more),
    }).ended;
  return { write, build, built, files: () => readdirSync(built).sort() };
}

it("a build has a module for each `import()`, small and with a source map, and none of an earlier build", async () => {
  const { write, build, built, files } = project(WORKER);
  expect(await build()).toMatchObject({ code: 0, out: "", err: "" });
  const first = files();
  expect(first).toEqual([
    expect.stringMatching(/^waymark-later-\w{8}\.js$/),
    expect.stringMatching(/^waymark-later-\w{8}\.js\.map$/),
    "worker.js",
    "worker.js.map",
  ]);
  const text = readFileSync(join(built, "worker.js"), "utf8");
  expect(text).toContain(`import("./${first[0]}")`);
  expect(text.trim().split("\n")).toHaveLength(2);
  expect(JSON.parse(readFileSync(join(built, "worker.js.map"), "utf8")).sources).toEqual([
    "../../src/lib/name.ts",
    "../../src/worker.ts",
  ]);
  write("later.ts", LATER.replace("own", "other"));
  await build();
  expect(files()).toHaveLength(4);
  expect(files()).not.toEqual(first);
});

it("a failed build says where and leaves no earlier one; `wrangler dev` answers with it", async () => {
  const { write, build, built, files } = project(WORKER);
  await build();
  write("worker.ts", "export default {\n  fetch: const,\n};");
  const failed = await build();
  expect(failed).toMatchObject({
    code: 1,
    err: expect.stringContaining('src/worker.ts:2:9: ERROR: Unexpected "const"'),
  });
  expect(existsSync(built)).toBe(false);
  expect(await build({ WRANGLER_COMMAND: "dev" })).toMatchObject({
    code: 0,
    err: expect.stringContaining("worker.ts:2:9"),
  });
  expect(files()).toEqual(["worker.js"]);
  const { default: worker } = await import(join(built, "worker.js"));
  const response: Response = worker.fetch();
  expect([response.status, await response.text()]).toEqual([
    500,
    expect.stringContaining("src/worker.ts:2:9"),
  ]);
});
