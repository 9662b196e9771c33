import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { cleanUp, plainEnvironment, ROOT, start, temporaryDirectory } from "../../operations/cli/terminal";
import { type Service, startService } from "../../service/start";
import { packInto } from "./pack";

const PACKAGE = join(ROOT, "src/client");

const SCRIPT = `
import { etagOf, waymark, WaymarkError } from "waymark";
const { links, whoami } = waymark({ url: process.env.WAYMARK_URL, key: process.env.WAYMARK_KEY });
const { link, outcome } = await links.upsert({ external_id: "packed", destination_url: "https://www.example.com" });
const changed = await links.update(link.id, { title: "Sale" }, { ifMatch: await etagOf(link) });
let found = 0;
for await (const { id } of links.list({ external_id: "packed" })) if (id === link.id) found++;
await links.delete(link.id);
const error = await links.get(link.id).catch((reason) => reason);
const { access } = await whoami();
console.log(JSON.stringify([outcome, changed.title, found, error instanceof WaymarkError, error.status, access]));
`;

/** Compiled with the settings of a strict project. */
const TYPED = `
import { type Link, waymark, WaymarkError } from "waymark";
export async function titles(url: string, key: string): Promise<(string | null)[]> {
  const client = waymark({ url, key });
  const list: Link[] = [];
  for await (const link of client.links.list({ slug: ["a"], status: "all" })) list.push(link);
  // @ts-expect-error A misspelt field is a type error.
  await client.links.create({ destination_url: "https://www.example.com", tittle: "x" }).catch(isTaken);
  return list.map(({ title }) => title);
}
const isTaken = (error: unknown): boolean =>
  error instanceof WaymarkError && error.codes["slug"]?.includes("taken") === true;
`;

const project = temporaryDirectory();
let service: Service;

/** Runs a command that must succeed. Resolves to its standard output. */
async function run(command: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}) {
  const { code, out, err } = await start(command, args, { cwd, env: plainEnvironment(env) }).ended;
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${code}:\n${out}\n${err}`);
  return out;
}

beforeAll(async () => {
  service = await startService();
  await packInto(project);
  const [tarball = ""] = readdirSync(project);
  writeFileSync(join(project, "package.json"), JSON.stringify({ type: "module", private: true }));
  await run("npm", ["install", "--silent", "--no-audit", `./${tarball}`], project);
});
afterAll(async () => {
  await service?.stop();
  cleanUp();
});

it("the packed package works in an empty folder", async () => {
  writeFileSync(join(project, "script.js"), SCRIPT);
  const env = { WAYMARK_URL: service.base, WAYMARK_KEY: service.key };
  const out = await run(process.env["CLIENT_NODE"] ?? process.execPath, ["script.js"], project, env);
  expect(JSON.parse(out)).toEqual(["created", "Sale", 1, true, 404, "full"]);
});

it.each(["action.yml", "gitlab-ci.yml"])("has %s to copy into a project", (name) => {
  const packed = readFileSync(join(project, "node_modules/waymark/action", name), "utf8");
  expect(packed).toBe(readFileSync(join(PACKAGE, "action", name), "utf8"));
});

it.each(["nodenext", "bundler"])(
  "its types compile in a strict project with %s resolution",
  async (resolution) => {
    writeFileSync(join(project, "typed.ts"), TYPED);
    const module = resolution === "nodenext" ? "nodenext" : "esnext";
    const settings = ["--strict", "--noEmit", "--exactOptionalPropertyTypes", "--target", "es2022"];
    const where = ["--module", module, "--moduleResolution", resolution, "--lib", "es2022,dom"];
    const tsc = join(PACKAGE, "node_modules/typescript/bin/tsc");
    await run(process.execPath, [tsc, ...settings, ...where, "typed.ts"], project);
  },
);
