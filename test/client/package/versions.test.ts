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

const [root, own] = [read(""), read("src/client/")];
const versionsOf = ({ dependencies, devDependencies }: Manifest) => ({ ...dependencies, ...devDependencies });

it("the package has the same version and Node range as the service", () => {
  expect([own.version, own.engines]).toEqual([root.version, root.engines]);
});

it("libraries that the root also has are in the same version", () => {
  const ofRoot = versionsOf(root);
  // openapi-typescript does not run with the root's TypeScript 7.
  const shared = Object.entries(versionsOf(own)).filter(([name]) => name in ofRoot && name !== "typescript");
  expect(Object.fromEntries(shared)).toEqual(
    Object.fromEntries(shared.map(([name]) => [name, ofRoot[name]])),
  );
  expect(shared.length).toBeGreaterThan(5);
});

it("the libraries of the service, which the package bundles, are those of the root", () => {
  // Only the service's own page of the interface uses Swagger UI.
  const { "swagger-ui-dist": _, ...libraries } = root.dependencies;
  expect(versionsOf(own)).toMatchObject(libraries);
});

it("all versions are exact", () => {
  for (const version of Object.values(versionsOf(own))) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
});
