import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { afterAll, expect, it } from "vitest";
import { COMMANDS } from "../../src/cli/commands/all-commands";
import { headingId, plainText } from "../../src/cli/headings";
import { BOTH, deployTo } from "./account";
import { cleanUp, DOCUMENTS, openLocal, ROOT, shellBlocksOf, wordsOf } from "./terminal";

afterAll(cleanUp);

const ALL = Object.values(DOCUMENTS).join("\n");

/** Runs lines of a document one after the other on a new local database. Each ends with these words. */
async function runLines(lines: readonly string[], ...end: readonly string[]): Promise<void> {
  const local = await openLocal();
  for (const line of lines) {
    const argv = wordsOf(line);
    expect(argv.splice(0, 4)).toEqual(["npm", "run", "admin", "--"]);
    expect(argv.splice(argv.length - end.length)).toEqual(end);
    expect(await local.admin(...argv), line).toMatchObject({ code: 0, err: "" });
  }
  await local.dispose();
}

it.each([
  ["src/docs/operating.md", "Commands", 5],
  ["src/docs/recipes.md", "A domain for each house", 3],
])("%s shows commands under “%s” that work unchanged", async (path, heading, fewest) => {
  const [commands = ""] = shellBlocksOf(path, heading);
  const lines = commands.trim().split("\n");
  expect(lines.length).toBeGreaterThan(fewest);
  await runLines(lines);
});

it("the page Deploy shows commands that work one after the other, on a local database", async () => {
  const lines = ["A workspace", "A member", "Sign in"].flatMap((heading) =>
    shellBlocksOf("src/docs/deploy.md", heading).join("").trim().split("\n"),
  );
  expect(lines).toHaveLength(4);
  await runLines(lines, "--remote");
});

it("the documents show deployments that an account takes", async () => {
  const shown = Array.from(ALL.matchAll(/npm run deploy -- (--[^`\n…]*)/g), ([, args = ""]) => args.trim());
  const commands = [...new Set(shown)];
  expect(commands.length).toBeGreaterThan(5);
  const account = { cloudflare: { subdomain: "acme" } };
  const first = await deployTo({ ...BOTH, ...account }, ["--workers-dev"]);
  const { next } = await deployTo(first.next);
  for (const args of commands) {
    const isFirst = /--(?:workers-dev|base-url)/.test(args);
    const { error } = await deployTo(isFirst ? account : next, wordsOf(args));
    expect(error, args).toBeUndefined();
  }
});

it("the documents name existing commands, and wrangler's commands for the deployed database have the config with its id", () => {
  const inText = ALL.replaceAll(/\s+/g, " ");
  const commands = Array.from(
    inText.matchAll(/npm run admin -- ([a-z]+(?:-[a-z]+)*(?: [a-z][a-z-]*)?)(?= --|`)/g),
  );
  expect(commands.length).toBeGreaterThan(20);
  for (const [, name = ""] of commands) expect(Object.keys(COMMANDS)).toContain(name);
  expect(
    Object.keys(COMMANDS).filter((name) => !inText.includes(name)),
    "is in no document. Add it to src/docs/operating.md.",
  ).toEqual([]);

  const ofDatabase = Array.from(inText.matchAll(/npx wrangler d1 [^`]*/g), ([line]) => line);
  expect(ofDatabase.length).toBeGreaterThan(4);
  for (const line of ofDatabase) expect(line).toMatch(/ --local | DB .*--config \.wrangler\.deploy\.json/);
});

it("the documents name only existing scripts, files and folders", () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  for (const [, script = ""] of ALL.matchAll(/npm run (?:--silent )?([a-z:]+)/g)) {
    expect(Object.keys(scripts)).toContain(script);
  }
  for (const [, path = ""] of ALL.matchAll(/`((?:test|src|migrations|\.ci|\.github)\/[\w./-]*)`/g)) {
    expect(() => readFileSync(join(ROOT, path))).not.toThrow(/ENOENT/);
  }
});

it.each(Object.entries(DOCUMENTS))("%s links only to existing files and headings", (path, text) => {
  const prose = text.replaceAll(/^```[\s\S]*?^```/gm, "").replaceAll(/`[^`\n]*`/g, "");
  for (const [, href = ""] of prose.matchAll(/\]\(([^)\s]+)\)/g)) {
    if (/^https?:/.test(href)) continue;
    const [file = "", id] = href.split("#");
    const target = file === "" ? path : normalize(join(dirname(path), file));
    expect(() => readFileSync(join(ROOT, target)), `${path}: ${href}`).not.toThrow();
    if (id === undefined) continue;
    expect(idsOf(readFileSync(join(ROOT, target), "utf8")), `${path}: ${href}`).toContain(id);
  }
});

it.each(Object.entries(DOCUMENTS))("%s says in its first lines who it is for", (path, text) => {
  const [, first = ""] = text.split("\n\n");
  if (path === "README.md") expect(text.split("\n").slice(0, 10).join("\n")).toContain("## For whom");
  else expect(first).toMatch(/^For /);
});

it("the words in bold of the recipes are on pages of the web application", () => {
  const bold = Array.from((DOCUMENTS["src/docs/recipes.md"] ?? "").matchAll(/\*\*([^*]+)\*\*/g), ([, word]) =>
    (word ?? "").replaceAll(/\s+/g, " "),
  );
  expect(bold.length).toBeGreaterThan(40);
  const pages = readdirSync(join(ROOT, "src/console"), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join("src/console", name));
  const source = [...pages, "src/lib/link-fields.ts"]
    .map((name) => readFileSync(join(ROOT, name), "utf8").replaceAll(/\s+/g, " "))
    .join("\n");
  expect(bold.filter((word) => !source.includes(word))).toEqual([]);
});

it.each(Object.entries(DOCUMENTS))("%s says to save a program with an import as .mjs", (_, text) => {
  const programs = Array.from(text.matchAll(/^```js\n([\s\S]*?)^```/gm), ([, block = ""]) => block);
  if (programs.some((block) => /^import /m.test(block))) expect(text).toMatch(/`[a-z]+\.mjs`/);
});

it("the README has at most 150 lines", () => {
  expect((DOCUMENTS["README.md"] ?? "").split("\n").length).toBeLessThanOrEqual(150);
});

/** The anchors that GitHub gives to a document's headings. */
function idsOf(text: string): string[] {
  const taken = new Map<string, number>();
  const prose = text.replaceAll(/^```[\s\S]*?^```/gm, "");
  return Array.from(prose.matchAll(/^#+ (.+)$/gm), ([, heading = ""]) =>
    headingId(plainText(heading), taken),
  );
}

it("each section of the runbook says what is seen, what to ask, what to do and how to undo it", () => {
  const [, ...sections] = (DOCUMENTS["src/docs/runbook.md"] ?? "").split(/^## /m);
  expect(sections.length).toBeGreaterThan(35);
  const incomplete = sections.filter(
    (section) =>
      !section.startsWith("Ask the audit log") &&
      ["Seen", "Ask", "Do", "Undo"].some((part) => !section.includes(`**${part}`)),
  );
  expect(incomplete.map((section) => section.split("\n")[0])).toEqual([]);
});
