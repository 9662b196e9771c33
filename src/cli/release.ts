import "./node-version";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { MIGRATIONS } from "./migrations";
import { print, run } from "./run";

const CLIENT = "src/client";
const MANIFESTS = ["package.json", "package-lock.json"].flatMap((name) => [name, `${CLIENT}/${name}`]);

/** What the changelog says of a version, or undefined if that is not the dated section below an empty "Unreleased". */
function readNotes(version: string): string | undefined {
  const [, unreleased = "", newest = ""] = readFileSync("CHANGELOG.md", "utf8").split(/^## /m);
  const [heading = "", ...lines] = newest.split("\n");
  const isDated = heading.startsWith(`${version} - `) && /^\S+ - \d{4}-\d\d-\d\d$/.test(heading);
  const notes = lines.join("\n").trim();
  return isDated && unreleased.trim() === "Unreleased" && notes !== "" ? notes : undefined;
}

function hasVersion(path: string, version: string): boolean {
  const { version: own, packages } = JSON.parse(readFileSync(path, "utf8"));
  return own === version && (packages === undefined || packages[""].version === version);
}

/** The version in the OpenAPI document. */
const API_DOCUMENT = "src/api/document.ts";

/** Documents that name the package's file with another version. */
const listOtherNames = (version: string): string[] =>
  ["README.md", ...readdirSync("src", { recursive: true, encoding: "utf8" }).map((name) => join("src", name))]
    .filter((path) => /\.(?:md|ya?ml)$/.test(path) && !path.includes("node_modules") && existsSync(path))
    .filter((path) => {
      const names = readFileSync(path, "utf8").match(/waymark-\d+\.\d+\.\d+\.tgz/g) ?? [];
      return names.some((name) => name !== `waymark-${version}.tgz`);
    });

const git = (...args: readonly string[]): string => execFileSync("git", args, { encoding: "utf8" }).trim();

/** What the history speaks against: open changes, and released migrations that are other ones now. */
function listFaultsInGit(version: string): string[] {
  const last = git("tag", "--list", "v*", "--sort=-version:refname", "--merged").split("\n")[0];
  const changed = last
    ? git("diff", "--name-only", "--no-renames", "--diff-filter=a", last, "--", MIGRATIONS)
    : "";
  const migrations = changed.split("\n").filter((path) => path.endsWith(".sql"));
  const added = last ? git("diff", "--name-only", "--diff-filter=A", last, "--", MIGRATIONS) : "";
  const kept = `test/migrations/kept/${version}.sql`;
  return [
    ...(git("status", "--porcelain") === "" ? [] : ["git status shows changes that are not committed."]),
    ...migrations.map((path) => `${path} is not as ${last} has it.`),
    ...(added.includes(".sql") && !existsSync(kept)
      ? [`${kept} is missing: the release has a migration.`]
      : []),
  ];
}

/** npm may be no program, so the script that has started this command is run. */
function npm(folder: string, ...args: readonly string[]): void {
  print(`\nnpm ${args.join(" ")} (in ${resolve(folder)})`);
  const script = process.env["npm_execpath"] ?? "npm";
  execFileSync(process.execPath, [script, ...args], { cwd: folder, stdio: "inherit" });
}

/** Checks a version, and writes its package and notes into `.release`. Changes nothing in git and nothing remote. */
function release(args: string[]): void {
  const options = { version: { type: "string" }, "skip-tests": { type: "boolean" } } as const;
  const { version = "", "skip-tests": skipsTests = false } = parseArgs({ args, options }).values;
  if (!/^\d+\.\d+\.\d+$/.test(version)) {
    throw new Error("Name the version, such as: npm run release -- --version 1.0.0");
  }
  const hasHistory = existsSync(".git");
  const notes = readNotes(version);
  const faults = [
    ...(notes ? [] : [`CHANGELOG.md must have "## ${version} - YYYY-MM-DD" below an empty "## Unreleased".`]),
    ...MANIFESTS.filter((path) => !hasVersion(path, version)).map((path) => `${path} has another version.`),
    ...(readFileSync(API_DOCUMENT, "utf8").includes(`version: "${version}"`)
      ? []
      : [`${API_DOCUMENT} has another version.`]),
    ...listOtherNames(version).map((path) => `${path} names the package's file with another version.`),
    ...(hasHistory ? listFaultsInGit(version) : []),
  ];
  if (faults.length > 0) throw new Error([`Version ${version} is not ready:`, ...faults].join("\n- "));
  npm(".", "run", "check");
  npm(".", "test", ...(skipsTests ? ["test/migrations"] : []));

  const folder = join(".release", version);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  npm(".", "run", "prepare");
  npm(CLIENT, "ci");
  npm(CLIENT, "pack", "--pack-destination", resolve(folder));
  writeFileSync(join(folder, "notes.md"), `${notes}\n`);
  print(`
${folder} has ${readdirSync(folder).sort().join(" and ")}. Nothing was tagged, pushed or published.
${skipsTests ? "Only the tests of migrations were run" : "npm run check and npm test have passed"}. The others are in .ci/run.
${hasHistory ? "" : "There is no git history here: open changes and released migrations were not compared.\n"}
To release it:
  git tag -a v${version} -m "Waymark ${version}"
  git push origin v${version}`);
}

await run(() => release(process.argv.slice(2)));
