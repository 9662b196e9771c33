// Checks the tests: applies deliberate breakages, one at a time, to a copy of the project and runs the
// tests of the redirect there. Run `npx tsx test/proofs/faults/bite.ts`, optionally with words of a breakage's name.
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { BREAKAGES, type Breakage } from "./breakages";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const copy = mkdtempSync(join(tmpdir(), "bite-"));
const LEFT_OUT = new Set(["node_modules", ".git", ".wrangler"]);

const say = (line: string) => process.stdout.write(`${line}\n`);

interface Report {
  testResults: { name: string; assertionResults: { status: string; fullName: string }[] }[];
}

/** The names of the failing tests, up to the first of each worker. */
function failingTests(): string[] {
  const report = join(copy, "report.json");
  rmSync(report, { force: true });
  const args = ["vitest", "run", "--config", "test/vitest.config.ts", "--project", "worker", "--bail", "1"];
  const { status, stderr } = spawnSync(
    "npx",
    [...args, "--reporter=json", `--outputFile=${report}`, "test/proofs/faults", "test/redirect"],
    { cwd: copy, encoding: "utf8", env: { ...process.env, LONG: "1" } },
  );
  if (status === 0) return [];
  try {
    const { testResults }: Report = JSON.parse(readFileSync(report, "utf8"));
    const names = testResults.flatMap(({ name, assertionResults }) =>
      assertionResults
        .filter((result) => result.status === "failed")
        .map(({ fullName }) => `${relative(realpathSync(copy), name)}: ${fullName.trim()}`),
    );
    if (names.length > 0) return names;
  } catch {
    // Without a report the run itself failed, which proves nothing.
  }
  throw new Error(`vitest failed without a failing test:\n${stderr}`);
}

/** The tests that fail with the breakage. Empty if it survives. */
function bites({ file, find, replace }: Breakage): string[] {
  const path = join(copy, file);
  const text = readFileSync(path, "utf8");
  const parts = text.split(find);
  if (parts.length !== 2)
    throw new Error(`the text to be replaced stands ${parts.length - 1} times in ${file}`);
  writeFileSync(path, parts.join(replace));
  try {
    return failingTests();
  } finally {
    writeFileSync(path, text);
  }
}

const wanted = process.argv.slice(2).join(" ");
let survivors = 0;
try {
  cpSync(root, copy, { recursive: true, filter: (path) => !LEFT_OUT.has(basename(path)) });
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  const failing = failingTests();
  if (failing.length > 0) throw new Error(`a test fails without a breakage: ${failing[0]}`);
  for (const breakage of BREAKAGES.filter(({ name }) => name.includes(wanted))) {
    let told: string;
    try {
      const tests = bites(breakage);
      if (tests.length === 0) survivors++;
      told = tests.length === 0 ? "SURVIVES" : tests.join("\n    ");
    } catch (error) {
      survivors++;
      told = String(error);
    }
    say(`- ${breakage.name}\n    ${told}`);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
process.exitCode = survivors === 0 ? 0 : 1;
