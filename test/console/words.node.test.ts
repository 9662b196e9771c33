import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

/** Words that mean the same as another that the pages use. `.github/CONTRIBUTING.md` has the list of words. */
const REFUSED: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\bOffline Engagement assets?\b/i, "asset"],
  [/\bshort URLs?\b/i, "short link"],
  [/\bchoose all\b|\bchoose \$\{|\b(?:chosen|chose) (?:assets|links)\b/i, "select"],
  [/\blabel="Find\b|>\s*(?:Find|Show|Go)\s*<\/button>/, "search"],
  [/\b(?:show everything|clear the filters?|show all of them)\b/i, "show all"],
  [/\bt(?:ake|akes|aken|ook) (?:back|off)\b/i, "undo, or remove"],
  [/\b(?:the begin|begin and end)\b/i, "start"],
];

/** The text of a file without comments, which nobody sees on a page. JSX breaks sentences into lines. */
const textOf = (path: string): string =>
  readFileSync(ROOT + path, "utf8")
    .replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "")
    .replaceAll(/\s+/g, " ");

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const PAGES = readdirSync(`${ROOT}src/console`, { recursive: true, encoding: "utf8" })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => `src/console/${name}`);
const FILES = [...PAGES, "src/public/app/console.js", "src/docs/guide.md"];

it.each(REFUSED)("the pages, their script and the guide never say what %s matches, but “%s”", (pattern) => {
  expect(FILES.length).toBeGreaterThan(100);
  expect(FILES.filter((path) => pattern.test(textOf(path)))).toEqual([]);
});
