import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

// test/interface/README.md names the tests of each rule: `file › group › title`, with … or % for what it leaves out.

const TESTS = new URL("../", import.meta.url);
const FOLDER = "interface/";

const sources = new Map(
  readdirSync(TESTS, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".test.ts"))
    .map((path) => path.replaceAll("\\", "/"))
    .map((path) => [path, readFileSync(new URL(path, TESTS), "utf8").replaceAll(/\s+/g, " ")]),
);

const rows = readFileSync(new URL(`${FOLDER}README.md`, TESTS), "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| Rule |"))
  .map((line): [string, string] => {
    const cells = line.slice(2, -2).split(/(?<!\\) \| /);
    return [cells[0] ?? "", cells.slice(1).join(" ").replaceAll("`", "")];
  });

/** Files by path. Files in this table's folder may omit folder and ending. */
const FILE = /(?:[a-z-]+\/)*[a-z-]+(?:\.node)?\.test\.ts|\b[a-z]+(?:-[a-z]+)*(?= ›|, links-|$|;)/g;
const TITLE = /› ([^›;·]+?)(?= ›|, ›|;| ·|,? (?:[a-z-]+\/)*[a-z-]+\.test|$)/g;
const LEFT_OUT = /…|%[sij]|\$\w+|\(.*?\)|"|\*|,$/;

const pathOf = (name: string): string | undefined =>
  [name, `${FOLDER}${name}`, `${FOLDER}${name}.test.ts`].find((path) => sources.has(path));

const filesOf = (tests: string): string[] => Array.from(tests.matchAll(FILE), ([name]) => name);

/** The parts of titles in the table, split at omissions. */
const titlesOf = (tests: string): string[] =>
  Array.from(tests.matchAll(TITLE), ([, title = ""]) => title)
    .flatMap((title) => title.split(LEFT_OUT))
    .map((words) => words.trim())
    .filter((words) => words.length > 3);

describe("the table from rule to test", () => {
  it("names files and titles", () => {
    expect(rows.length).toBeGreaterThan(280);
    expect(rows.flatMap(([, tests]) => titlesOf(tests)).length).toBeGreaterThan(400);
  });

  it("names existing tests", () => {
    const missing = rows.flatMap(([rule, tests]) => {
      const names = filesOf(tests);
      const paths = names.flatMap((name) => pathOf(name) ?? []);
      const files = names.filter((name) => name.endsWith(".ts") && pathOf(name) === undefined);
      const source = paths.map((path) => sources.get(path)).join(" ");
      const titles = titlesOf(tests).filter((title) => !source.includes(title));
      return paths.length > 0 && files.length === 0 && titles.length === 0 ? [] : [{ rule, files, titles }];
    });
    expect(missing).toEqual([]);
  });
});
