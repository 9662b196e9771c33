import { dirname } from "node:path";
import { expect, it } from "vitest";
import { findCircles } from "./circles";
import { LAYERS, OWN_SQL, ROOMS_OF_FEATURES, RULES } from "./rules";
import { type Import, readImports } from "./source";

const imports = readImports();
const files = new Set(imports.map(({ file }) => file));
const topOf = (path: string): string => path.split("/")[0] ?? "";
const layerOf = (path: string): number => LAYERS.findIndex((layer) => layer.includes(topOf(path)));
const isOwn = ({ target }: Import): boolean => layerOf(target) !== -1;

const toPattern = (glob: string): RegExp =>
  new RegExp(`^${glob.replaceAll(/\*\*|\*|\./g, (sign) => ({ "**": ".*", "*": "[^/]*" })[sign] ?? "\\.")}$`);

function matcher(globs: readonly string[]): (path: string) => boolean {
  const patterns = globs.map(toPattern);
  return (path) => patterns.some((pattern) => pattern.test(path));
}

const toText = ({ file, target }: Import): string => `${file} imports ${target}`;

it("every file of src belongs to a layer and imports only lower layers", () => {
  const broken = imports.filter(
    (one) => isOwn(one) && topOf(one.file) !== topOf(one.target) && layerOf(one.file) >= layerOf(one.target),
  );
  expect([...files].filter((file) => layerOf(file) === -1)).toEqual([]);
  expect(broken.map(toText), "Move the code down, or pass it in. The layers are in rules.ts.").toEqual([]);
});

it("no feature imports the SQL of another, but its statements", () => {
  const isOwnSql = matcher(OWN_SQL);
  const featureOf = (path: string) =>
    path
      .split("/")
      .slice(0, ROOMS_OF_FEATURES.includes(topOf(path)) ? 2 : 1)
      .join("/");
  const broken = imports.filter(
    ({ file, target }) => isOwnSql(target) && featureOf(file) !== featureOf(target),
  );
  expect(broken.map(toText), "Export it from the feature's `statements`, or ask its service.").toEqual([]);
});

it.each(RULES)("$because", ({ files: globs, except = [], only = ["**"], never = [], because }) => {
  const [applies, isExcepted, isAllowed, isNever] = [globs, except, only, never].map(matcher);
  const broken = imports.filter(
    ({ file, target }) =>
      applies?.(file) && !isExcepted?.(file) && (isNever?.(target) || !isAllowed?.(target)),
  );
  expect(broken.map(toText), because).toEqual([]);
});

it("no files import each other in a cycle, including type imports", () => {
  const circles = findCircles(imports.filter(isOwn).map(({ file, target }) => [file, target]));
  expect(circles, "Move what both need into a third file.").toEqual([]);
});

it("no folders import each other in a cycle, including type imports", () => {
  const folders = [...new Set([...files].map((file) => dirname(file)))];
  const hasFolders = (folder: string) => folders.some((other) => other.startsWith(`${folder}/`));
  // A file beside folders counts as its own node: console/routes imports the sections, which import console/error-page.
  const folderOf = (file: string) =>
    hasFolders(dirname(file)) || dirname(file) === "." ? file : dirname(file);
  const circles = findCircles(
    imports.filter(isOwn).map(({ file, target }) => [folderOf(file), folderOf(target)]),
  );
  expect(circles, "Move what both need into a third folder.").toEqual([]);
});
