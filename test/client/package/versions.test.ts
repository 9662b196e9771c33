import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

interface Manifest {
  version: string;
  engines: { node: string };
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}

const read = (path: string): Manifest =>
  JSON.parse(readFileSync(new URL(`../../../${path}package.json`, import.meta.url), "utf8"));

const [root, own, build] = [read(""), read("src/client/"), read("src/client/build/")];
const versionsOf = ({ dependencies, devDependencies }: Partial<Manifest>) => ({
  ...dependencies,
  ...devDependencies,
});

it("the package has the version of the service, and types of the oldest Node that it runs on", () => {
  expect([own.version, own.engines.node]).toEqual([root.version, ">=20.19"]);
  expect(versionsOf(own)["@types/node"]).toMatch(/^20\.19\./);
});

it("libraries that the root also has are in the same version, TypeScript too", () => {
  const ofRoot = versionsOf(root);
  const shared = Object.entries(versionsOf(own)).filter(([name]) => name in ofRoot && name !== "@types/node");
  expect(Object.fromEntries(shared)).toEqual(
    Object.fromEntries(shared.map(([name]) => [name, ofRoot[name]])),
  );
  expect(shared.length).toBeGreaterThan(5);
});

it("all versions are exact", () => {
  const versions = Object.values({ ...versionsOf(own), ...versionsOf(build) });
  for (const version of versions) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
});
