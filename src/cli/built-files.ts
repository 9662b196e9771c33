import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, sep } from "node:path";
import { SUFFIXES_FILE } from "../analytics/public-suffixes.ts";
import { documentPages } from "./document-pages.ts";
import { publicSuffixesFile } from "./public-suffixes.ts";

export const OWN_FILES = join("src", "public");
/** The Markdown sources of the pages of /docs. */
export const DOCUMENTS = join("src", "docs");
/** The `[assets]` directory of wrangler.toml. */
const TARGET = join(".wrangler", "public");

/** A package, and the files of it that pages load. */
const SWAGGER = "swagger-ui-dist";
const SWAGGER_FILES = ["swagger-ui-bundle.js", "swagger-ui.css"];
/** The folder in which pages name them. The version is appended. */
const SWAGGER_FOLDER = "docs/swagger-ui";

const require = createRequire(import.meta.url);

/** The paths of files below a folder, with slashes on Windows too. */
const listFiles = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .map((name) => name.replaceAll(sep, "/"));

function hasContent(file: string, content: Uint8Array): boolean {
  try {
    return readFileSync(file).equals(content);
  } catch {
    return false;
  }
}

/** Makes these the files of a folder. Does not rewrite unchanged files, since `wrangler dev` watches the folder. */
export function writeFolder(directory: string, files: ReadonlyMap<string, Uint8Array>): void {
  mkdirSync(directory, { recursive: true });
  for (const name of listFiles(directory))
    if (!files.has(name)) rmSync(join(directory, name), { force: true });
  for (const [name, content] of files) {
    const file = join(directory, name);
    if (hasContent(file, content)) continue;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}

/**
 * Fills the directory of static assets with our own files, the pages of the documents, the public suffixes, and the
 * package's files in a versioned folder.
 */
export function makeStaticFiles(root = "."): void {
  const files = new Map<string, Buffer>();
  const own = join(root, OWN_FILES);
  for (const name of listFiles(own)) files.set(name, readFileSync(join(own, name)));
  for (const [name, page] of documentPages(join(root, DOCUMENTS))) files.set(name, Buffer.from(page));
  files.set(SUFFIXES_FILE, Buffer.from(publicSuffixesFile()));
  const manifest = require.resolve(`${SWAGGER}/package.json`);
  const { version } = JSON.parse(readFileSync(manifest, "utf8"));
  const versioned = `${SWAGGER_FOLDER}-${version}`;
  for (const [name, content] of files) {
    if (name.endsWith(".html"))
      files.set(
        name,
        Buffer.from(content.toString().replaceAll(`/${SWAGGER_FOLDER}/`, () => `/${versioned}/`)),
      );
  }
  for (const name of SWAGGER_FILES)
    files.set(`${versioned}/${name}`, readFileSync(join(dirname(manifest), name)));

  writeFolder(join(root, TARGET), files);
}
