import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { nodeProblem } from "../../src/cli/node-version";
import { ROOT } from "./terminal";

it.each(["v20.20.2", "v22.11.9", "v8.0.0"])("Node %s is refused in one sentence", (version) => {
  expect(nodeProblem(version, ">=22.12")).toBe(
    `Waymark needs Node.js 22.12 or later and this is ${version.slice(1)}: install a later one, or run npm ci without --omit=optional, which brings its own.`,
  );
});

it.each(["v22.12.0", "v22.23.1", "v24.0.0", "v26.10.0"])("Node %s is accepted", (version) => {
  expect(nodeProblem(version, ">=22.12")).toBeUndefined();
});

const scripts: Record<string, string> = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")).scripts;
const entries = Object.values(scripts).flatMap((script) => [
  ...script.matchAll(/(?:tsx|--config) (\S+\.ts)/g),
]);

it.each([...new Set(entries.map(([, path = ""]) => path))])("%s checks the version of Node first", (path) => {
  const [first] = readFileSync(join(ROOT, path), "utf8").match(/^import .*$/m) ?? [];
  expect(first).toMatch(/^import ".*cli\/node-version(\.ts)?";$|^import "\.\/node-version";$/);
});

it("the optional packages of Node are locked by their integrity and run no script when they are installed", () => {
  const { optionalDependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const { packages } = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8"));
  const locked = Object.entries(optionalDependencies).map(([name, version]) => {
    const { integrity, hasInstallScript = false, ...found } = packages[`node_modules/${name}`];
    return {
      version,
      isSame: found.version === version,
      isHashed: /^sha512-/.test(integrity),
      hasInstallScript,
    };
  });
  expect(locked).toEqual(
    Array(5).fill({ version: "26.10.0", isSame: true, isHashed: true, hasInstallScript: false }),
  );
});
