import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

// Nobody has the name `waymark` on npm, so anybody may take it. A line that fetches it from there would run a stranger's
// program with the API key in its environment.

/** A program that runs or installs what the registry has by this name, with the words up to the name. */
const FETCHES =
  /\b(?:npx(?:\.cmd)?|bunx|(?:npm|npm\.cmd|pnpm|yarn) (?:exec|x|dlx|i|install|add)|npm:(?=waymark))((?:[\s"'`,[\]:]|args|--?[a-z][\w-]*)*)waymark(?![\w./-])/g;
const IS_LOCAL = /(?:^|[\s"'])--no(?=$|[\s"'])/;

const findFetches = (text: string): string[] =>
  Array.from(text.matchAll(FETCHES), ([line, words = ""]) => ({ line, words }))
    .filter(({ words }) => !IS_LOCAL.test(words))
    .map(({ line }) => line);

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const WRITTEN_BY_OTHERS = /(?:^|[/\\])(?:node_modules|dist|generated|coverage)[/\\]|package-lock\.json$/;
const IS_TEXT = /\.(?:md|tsx?|js|mjs|json|ya?ml|html|txt|toml|sh)$|[/\\]run$/;

const filesIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => IS_TEXT.test(path) && !WRITTEN_BY_OTHERS.test(path));

it.each([
  "npx waymark plan",
  "npx.cmd waymark whoami",
  "npx --no-install waymark plan",
  "npx --yes waymark",
  '"command": "npx",\n      "args": ["waymark", "mcp"]',
  "npm exec waymark",
  "npm install --save-dev waymark\n",
  'import { waymark } from "npm:waymark";',
])("%j would ask the registry", (text) => {
  expect(findFetches(text)).toHaveLength(1);
});

it.each([
  "npx --no waymark plan",
  "npx.cmd --no waymark whoami",
  '"command": "npx", "args": ["--no", "waymark", "mcp"]',
  "npm install --save-dev ./tools/waymark-1.0.0.tgz",
  "npx wrangler login # of waymark",
])("%j would not", (text) => {
  expect(findFetches(text)).toEqual([]);
});

it("no document, example, message or page fetches a package of this name from npm", () => {
  const roots = readdirSync(ROOT, { encoding: "utf8" }).filter((name) => IS_TEXT.test(name));
  const files = [...roots, ...[".ci", ".github", "migrations", "src"].flatMap(filesIn)];
  const paths = files.filter((path) => !WRITTEN_BY_OTHERS.test(path));
  expect(paths.length).toBeGreaterThan(500);
  const found = paths.flatMap((path) =>
    findFetches(readFileSync(join(ROOT, path), "utf8")).map((line) => `${path}: ${line}`),
  );
  expect(found).toEqual([]);
});
