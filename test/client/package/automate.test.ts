import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { waymark } from "../../../src/client/api/client";
import { gather } from "../../../src/client/api/pages";
import { readReport } from "../../../src/client/api/report";
import type { Waymark } from "../../../src/client/api/wire-types";
import { EXIT } from "../../../src/client/exit";
import { DAY_MS } from "../../../src/lib/time";
import { createReport } from "../../../src/resources/reports/report-links";
import { getWorkspace } from "../../../src/resources/workspaces/workspace-service";
import { cleanUp, DOCUMENTS, plainEnvironment, ROOT, start, temporaryDirectory } from "../../cli/terminal";
import { type Service, startService } from "../../service/start";
import { action } from "../action/run";

const PACKAGE = join(ROOT, "src/client");
const PAGE = DOCUMENTS["src/docs/automate.md"] ?? "";

/** The code blocks of a language under a heading. */
function blocksOf(heading: string, language: string): string[] {
  const part = PAGE.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? "";
  const blocks = part.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "gm"));
  return Array.from(blocks, ([, block = ""]) => block);
}

function blockOf(heading: string, language: string, index = 0): string {
  const block = blocksOf(heading, language)[index];
  if (block === undefined) throw new Error(`The page has no such block of ${language} under ${heading}.`);
  return block;
}

const keys: string[] = [];
const folder = temporaryDirectory();
const project = join(folder, "my-site");
let service: Service;
let url: string;
let client: Waymark;

/** Runs lines of the page as a shell does that stops at the first failure. */
async function sh(script: string, cwd = project): Promise<string> {
  const env = plainEnvironment({ WAYMARK_URL: url, WAYMARK_KEY: keys[1] });
  const { code, out, err } = await start("bash", ["-euo", "pipefail", "-c", script], { cwd, env }).ended;
  expect(code, `${script}\n${out}\n${err}`).toBe(0);
  return out;
}

async function node(source: string): Promise<string> {
  writeFileSync(join(project, "example.mjs"), source);
  return sh(`${process.env["CLIENT_NODE"] ?? process.execPath} example.mjs`);
}

beforeAll(async () => {
  service = await startService();
  url = service.base;
  for (const line of blockOf("Make two keys", "sh").trim().split("\n")) {
    const [key = ""] = /lnk_\w+/.exec(await sh(`${line} --persist-to ${service.state}`, ROOT)) ?? [];
    keys.push(key);
  }
  client = waymark({ url, key: keys[1] ?? "" });
});
afterAll(async () => {
  await service?.stop();
  cleanUp();
});

describe("the page Automate it, in order", () => {
  it("makes a read-only and a full key", async () => {
    const accesses = keys.map(async (key) => (await waymark({ url, key }).whoami()).access);
    expect(await Promise.all(accesses)).toEqual(["read", "full"]);
  });

  it("installs the packed package, which then knows the workspace", async () => {
    const [pack, begin = "", install = "", connect = ""] = blocksOf("Install the package", "sh");
    expect(pack).toBe("npm ci && cd src/client && npm ci && npm pack\n");
    await sh(begin, folder);
    mkdirSync(join(project, "tools"));
    await sh(`npm pack --silent --pack-destination ${join(project, "tools")}`, PACKAGE);
    await sh(install);
    const typed = `{\nunset WAYMARK_KEY\n${connect.replace("http://localhost:8787", url)}} <<< ${keys[1]}`;
    const out = await sh(typed);
    expect(out).toContain("demo");
    expect(out).toMatch(/access\tfull/);
    expect(PAGE).not.toContain("export WAYMARK_KEY=");
  });

  it("plans with the read-only key, and applies what it planned", async () => {
    const text = blockOf("Write the links into a file", "yaml");
    writeFileSync(join(project, "waymark.yaml"), text);
    const [, schema = ""] = /\$schema=(\S+)/.exec(text) ?? [];
    expect(JSON.parse(readFileSync(join(project, schema), "utf8"))).toMatchObject({ type: "object" });

    const planned = await sh(`WAYMARK_KEY=${keys[0]} ${blockOf("Plan", "sh")}`);
    expect(planned).toContain("Plan: 2 to create");
    const before = new Date().toISOString();
    await sh(blockOf("Apply", "sh"));
    const hero = await client.links.byExternalId("site:home-hero");
    expect(hero).toMatchObject({ slug: "summer-home", utm_source: "site", utm_campaign: "summer_2026" });
    expect(hero?.tags.map(({ name }) => name)).toEqual(["Website"]);
    expect(readFileSync(join(project, "qr/shop-window.svg"), "utf8")).toContain("<svg");

    expect(await sh(blockOf("Apply", "sh"))).toContain("Nothing to do");
    expect((await client.links.byExternalId("site:home-hero"))?.updated_at).toBe(hero?.updated_at);
    expect(hero?.created_at.localeCompare(before)).toBe(1);
  });

  it("applies a saved plan, and adopts a link that exists", async () => {
    const text = readFileSync(join(project, "waymark.yaml"), "utf8").replace(
      "title: Summer sale\n",
      `title: Last days\n${blockOf("Write the links into a file", "yaml", 1)}`,
    );
    writeFileSync(join(project, "waymark.yaml"), text);
    await sh(blockOf("Apply", "sh", 1));
    expect(await client.links.bySlug("summer-home")).toMatchObject({
      title: "Last days",
      starts_at: "2026-06-01T06:00:00.000Z",
      ends_at: "2026-08-31T22:00:00.000Z",
      ended_url: "https://www.example.com/over",
    });
    expect(await sh("npx --no waymark plan")).toContain("0 to update");

    await sh(blockOf("Apply", "sh", 2));
    expect(await client.links.bySlug("summer-poster")).toMatchObject({ external_id: "site:poster" });
    await sh("npx --no waymark apply --urls urls.json");
  });

  it("brings the links of a group into a file, with no change to them", async () => {
    const group = () => gather(client.links.list({ activity_group_id: "newsletter" }));
    const before = await group();
    expect(before.length).toBeGreaterThan(0);
    const out = await sh(blockOf("Links that exist already", "sh"));
    expect(out).toContain("0 to create, 0 to update, 0 to remove");
    for (const { external_id: id, updated_at: _, ...link } of await group()) {
      expect(id).toBe(`newsletter:${link.slug}`);
      expect(before).toContainEqual(expect.objectContaining(link));
    }
  });

  it("uses the URLs in a build, and the client in a program", async () => {
    const [build = "", program = ""] = blocksOf("Use the URLs in a build", "js");
    expect(await node(build)).toBe(`<a href="${url}/summer-home">Summer sale</a>\n`);
    const shown = await node(program);
    expect(shown).toContain("summer-home https://www.example.com/sale\n");
  });

  it("reads a report without a key", async () => {
    const workspace = await getWorkspace(service.ctx, "demo");
    const ends_on = new Date(Date.now() + DAY_MS).toISOString().slice(0, 10);
    const [summer] = await gather(client.groups.list({ slug: "summer-2026" }));
    const subject = summer?.id ?? "";
    const made = await createReport(
      { ...service.ctx, workspace },
      { kind: "group", subject, last: "90", ends_on },
    );
    const address = `${url}${new URL(made.url).pathname}`;
    const { totals, posters, sources } = await readReport(address);
    const settings = `unset WAYMARK_URL WAYMARK_KEY\nexport REPORT=${address}\n`;
    const shown = (await sh(settings + blockOf("Figures of a report", "sh"))).split("\n");
    expect(shown).toHaveLength(90 + (sources?.length ?? 0) + 1);
    writeFileSync(join(project, "report.mjs"), blockOf("Figures of a report", "js"));
    expect(await sh(`${settings}node report.mjs`)).toBe(
      `${totals?.visits} ${posters?.[0]?.name ?? "no posters"}\n`,
    );
    const [, csv = ""] = /=IMPORTDATA\("[^"]*(\.csv)"\)/.exec(PAGE) ?? [];
    expect((await (await fetch(`${address}${csv}`)).text()).split("\r\n")[0]).toBe("day,clicks,scans");
  });

  it("gives an agent the tools of its table", async () => {
    const { mcpServers } = JSON.parse(blockOf("Agents", "json"));
    const { command, args, env } = mcpServers.waymark;
    const [script, ...more] = args.map((word: string) => word.replace("/home/ada/my-site", project));
    const file = join(project, "key");
    writeFileSync(file, `${keys[1]}\n`);
    expect(Object.keys(env)).toEqual(["WAYMARK_URL", "WAYMARK_KEY_FILE"]);
    const transport = new StdioClientTransport({
      command,
      args: [script, ...more, "--write"],
      // An agent starts it in any folder.
      cwd: folder,
      env: { PATH: process.env["PATH"] ?? "", WAYMARK_URL: url, WAYMARK_KEY_FILE: file },
    });
    const mcp = new Client({ name: "test", version: "1" });
    await mcp.connect(transport);
    const { tools } = await mcp.listTools();
    const image = await mcp.callTool({ name: "qr_code", arguments: { slug: "summer-home" } });
    await mcp.close();

    const [table = ""] = PAGE.split("| Tool | What it does |").slice(1);
    const named = Array.from(table.split("\n\n")[0]?.matchAll(/`(\w+_\w+)`/g) ?? [], ([, name]) => name);
    expect(named).toEqual(
      expect.arrayContaining(["find_links", "get_link", "list_labels", "qr_code", "create_link"]),
    );
    expect(tools.map(({ name }) => name).sort()).toEqual(named.sort());
    const [block] = image.content as { mimeType: string; data: string }[];
    expect(block?.mimeType).toBe("image/png");
    expect(
      Buffer.from(block?.data ?? "", "base64")
        .subarray(1, 4)
        .toString(),
    ).toBe("PNG");
  });

  it("shows what strict mode answers", async () => {
    const answer = JSON.parse(await sh(blockOf("Strict mode", "sh")));
    expect(answer).toEqual(JSON.parse(blockOf("Strict mode", "json")));
  });
});

it("its workflow uses the inputs and outputs of the action", () => {
  const { jobs } = parse(blockOf("GitHub", "yaml"));
  for (const { steps } of Object.values<{ steps: { uses?: string; with?: object }[] }>(jobs)) {
    const used = steps.find(({ uses }) => uses?.endsWith("/waymark"))?.with ?? {};
    expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(Object.keys(used)));
  }
  for (const name of [...Object.keys(action.inputs), ...Object.keys(action.outputs)]) {
    expect(PAGE).toContain(`\`${name}\``);
  }
});

it("its table has every exit code", () => {
  const codes = Array.from(PAGE.matchAll(/^\| (\d) \| /gm), ([, code]) => Number(code));
  expect(codes).toEqual(Object.values(EXIT));
});

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

describe("the packed package", () => {
  it("works without the command", async () => {
    expect(JSON.parse(await node(SCRIPT))).toEqual(["created", "Sale", 1, true, 404, "full"]);
  });

  it.each(["action.yml", "gitlab-ci.yml"])("has %s to copy into a project", (name) => {
    const packed = readFileSync(join(project, "node_modules/waymark/action", name), "utf8");
    expect(packed).toBe(readFileSync(join(PACKAGE, "action", name), "utf8"));
  });

  it.each([
    ["nodenext", "nodenext"],
    ["esnext", "bundler"],
  ])("its types compile in a strict project, module %s with %s resolution", async (module, resolution) => {
    writeFileSync(join(project, "typed.ts"), TYPED);
    const settings = "--strict --noEmit --exactOptionalPropertyTypes --target es2022 --lib es2022,dom";
    const where = `--module ${module} --moduleResolution ${resolution}`;
    const tsc = join(PACKAGE, "node_modules/typescript/bin/tsc");
    await sh(`${process.execPath} ${tsc} ${settings} ${where} typed.ts`);
  });
});
