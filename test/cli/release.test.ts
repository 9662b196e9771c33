import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { cleanUp, DOCUMENTS, plainEnvironment, ROOT, start, temporaryDirectory } from "./terminal";

// Of a small project. In place of npm a script writes down what it is asked for, and packs an empty file.

const NPM = `
const { appendFileSync, writeFileSync } = require("node:fs");
const args = process.argv.slice(2);
appendFileSync(process.env.CALLS, args.slice(0, 2).join(" ") + "\\n");
if (process.env.FAILS === args.join(" ")) process.exit(1);
if (args[0] === "pack") writeFileSync(args[2] + "/waymark-1.2.0.tgz", "");
`;

const CHANGELOG =
  "# Changelog\n\n## Unreleased\n\n## 1.2.0 - 2027-01-31\n\n### Added\n\n- A thing.\n\n## 1.0.0 - 2026-11-26\n\nIt.\n";
const LOCK = JSON.stringify({ version: "1.2.0", packages: { "": { version: "1.2.0" } } });

const FILES = {
  "CHANGELOG.md": CHANGELOG,
  "package.json": '{"version":"1.2.0"}',
  "package-lock.json": LOCK,
  "src/client/package.json": '{"version":"1.2.0"}',
  "src/client/package-lock.json": LOCK,
  "migrations/0000_first_00000000.sql": "first",
  "src/api/document.ts": 'info: { version: "1.2.0" }',
  "src/docs/automate.md": "Install `waymark-1.2.0.tgz`.",
  "src/client/action.yml": "run: npm install waymark-1.2.0.tgz",
  ".gitignore": ".release/\nnpm.cjs\ncalls\n",
  "npm.cjs": NPM,
};

let project = "";

function write(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  }
}

const git = (...args: readonly string[]): string => {
  const own = ["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "init.defaultBranch=main"];
  return execFileSync("git", [...own, ...args], { cwd: project, encoding: "utf8" });
};

async function release(args: readonly string[] = ["--version", "1.2.0"], fails = "") {
  const calls = join(project, "calls");
  writeFileSync(calls, "");
  const env = plainEnvironment({ npm_execpath: join(project, "npm.cjs"), CALLS: calls, FAILS: fails });
  const command = [join(ROOT, "node_modules/tsx/dist/cli.mjs"), join(ROOT, "src/cli/release.ts")];
  const { code, out, err } = await start(process.execPath, [...command, ...args], { cwd: project, env })
    .ended;
  return { code, out, err, calls: readFileSync(calls, "utf8").split("\n").slice(0, -1) };
}

beforeEach(() => {
  project = temporaryDirectory();
  write(FILES);
});
afterAll(cleanUp);

describe("npm run release", () => {
  it("checks, tests and packs, writes the notes, and says what is next without a history", async () => {
    const { code, out, err, calls } = await release();
    expect([code, err]).toEqual([0, ""]);
    expect(calls).toEqual(["run check", "test", "run prepare", "ci", "pack --pack-destination"]);
    expect(readdirSync(join(project, ".release/1.2.0")).sort()).toEqual(["notes.md", "waymark-1.2.0.tgz"]);
    expect(readFileSync(join(project, ".release/1.2.0/notes.md"), "utf8")).toBe("### Added\n\n- A thing.\n");
    expect(out).toContain(".release/1.2.0 has notes.md and waymark-1.2.0.tgz.");
    expect(out).toContain("There is no git history here");
    expect(out).toContain('git tag -a v1.2.0 -m "Waymark 1.2.0"\n  git push origin v1.2.0');
  });

  it("runs only the tests of migrations with --skip-tests", async () => {
    const { code, out, calls } = await release(["--version", "1.2.0", "--skip-tests"]);
    expect([code, calls[1]]).toEqual([0, "test test/migrations"]);
    expect(out).toContain("Only the tests of migrations were run.");
  });

  it("changes nothing in git", async () => {
    git("init", "-q");
    git("add", ".");
    git("commit", "-qm", "all");
    const { code, out } = await release();
    expect([code, git("tag"), git("status", "--porcelain")]).toEqual([0, "", ""]);
    expect(out).not.toContain("no git history");
  });

  it("refuses open changes, and migrations that differ from the last release", async () => {
    git("init", "-q");
    git("add", ".");
    git("commit", "-qm", "all");
    git("tag", "v1.0.0");
    git("mv", "migrations/0000_first_00000000.sql", "migrations/0000_first_11111111.sql");
    git("commit", "-qm", "another");
    write({ "migrations/0001_more_00000000.sql": "more" });
    expect((await release()).err).toBe(
      "Version 1.2.0 is not ready:\n- git status shows changes that are not committed.\n- migrations/0000_first_00000000.sql is not as v1.0.0 has it.\n",
    );
    git("mv", "migrations/0000_first_11111111.sql", "migrations/0000_first_00000000.sql");
    git("add", ".");
    git("commit", "-qm", "as before, and one more");
    expect((await release()).err).toBe(
      "Version 1.2.0 is not ready:\n- test/migrations/kept/1.2.0.sql is missing: the release has a migration.\n",
    );
    write({ "test/migrations/kept/1.2.0.sql": "kept" });
    git("add", ".");
    git("commit", "-qm", "kept");
    expect((await release()).code).toBe(0);
  });

  const SECTION = 'CHANGELOG.md must have "## 1.2.0 - YYYY-MM-DD" below an empty "## Unreleased".';
  it.each([
    ["a changelog without a date", { "CHANGELOG.md": CHANGELOG.replace(" - 2027-01-31", "") }, SECTION],
    ["a section without text", { "CHANGELOG.md": CHANGELOG.replace("### Added\n\n- A thing.", "") }, SECTION],
    [
      "another version of the package",
      { "src/client/package.json": '{"version":"1.1.0"}' },
      "src/client/package.json has another version.",
    ],
    [
      "another version in a lock file",
      { "package-lock.json": LOCK.replace('{"":{"version":"1.2.0"}}', '{"":{"version":"1.1.0"}}') },
      "package-lock.json has another version.",
    ],
    [
      "another version in the document of the API",
      { "src/api/document.ts": 'info: { version: "1.1.0" }' },
      "src/api/document.ts has another version.",
    ],
    [
      "another version in a name of the package's file",
      { "src/docs/automate.md": "`waymark-1.2.0.tgz` or `waymark-1.1.0.tgz`" },
      "src/docs/automate.md names the package's file with another version.",
    ],
  ])("refuses %s before it runs anything", async (_, files, fault) => {
    write(files);
    const { code, err, calls } = await release();
    expect([code, err, calls]).toEqual([1, `Version 1.2.0 is not ready:\n- ${fault}\n`, []]);
  });

  it.each([[[]], [["--version", "v1.2.0"]]])("refuses %j", async (args) => {
    const { code, err } = await release(args);
    expect([code, err]).toEqual([1, "Name the version, such as: npm run release -- --version 1.0.0\n"]);
  });

  it("stops where a check or a test fails", async () => {
    const { code, calls } = await release(["--version", "1.2.0"], "test");
    expect([code, calls, existsSync(join(project, ".release"))]).toEqual([1, ["run check", "test"], false]);
  });
});

describe("this version", () => {
  const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
  const { version, license } = JSON.parse(read("package.json"));

  it("is the same in all manifests, and has a dated section in the changelog", () => {
    for (const folder of ["", "src/client/"]) {
      const lock = JSON.parse(read(`${folder}package-lock.json`));
      expect(JSON.parse(read(`${folder}package.json`))).toMatchObject({ version, license });
      expect([lock.version, lock.packages[""]]).toEqual([
        version,
        expect.objectContaining({ version, license }),
      ]);
    }
    expect(read("CHANGELOG.md")).toMatch(new RegExp(`^## ${version} - \\d{4}-\\d\\d-\\d\\d$`, "m"));
  });

  it("is in the name of the package in all documents", () => {
    const texts = [
      ...Object.values(DOCUMENTS),
      read("src/client/README.md"),
      read("src/client/action/gitlab-ci.yml"),
    ];
    const named = Array.from(texts.join("\n").matchAll(/waymark-(\d[\w.]*)\.tgz/g), ([, found]) => found);
    expect(named.length).toBeGreaterThan(4);
    expect(new Set(named)).toEqual(new Set([version]));
  });
});
