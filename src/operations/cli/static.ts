import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { documentPages } from "./document-pages.ts";

export const OWN_FILES = join("src", "public");
/** The Markdown sources of the pages of /docs. */
export const DOCUMENTS = join("src", "docs");
/** The `[assets]` directory of wrangler.toml. */
const TARGET = join(".wrangler", "public");

interface Package {
  name: string;
  /** The folder in which pages name its files. The version is appended. */
  folder: string;
  files: readonly string[];
}

const PACKAGES: readonly Package[] = [
  {
    name: "swagger-ui-dist",
    folder: "docs/swagger-ui",
    files: ["swagger-ui-bundle.js", "swagger-ui.css"],
  },
];

const require = createRequire(import.meta.url);

const listFiles = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));

function hasContent(file: string, content: Buffer): boolean {
  try {
    return readFileSync(file).equals(content);
  } catch {
    return false;
  }
}

/**
 * Fills the directory of static assets with our own files, the pages of the documents, and files of packages in
 * versioned folders. Does not rewrite unchanged files, since `wrangler dev` watches the directory.
 */
export function makeStaticFiles(root = "."): void {
  const files = new Map<string, Buffer>();
  const own = join(root, OWN_FILES);
  for (const name of listFiles(own)) files.set(name, readFileSync(join(own, name)));
  for (const [name, page] of documentPages(join(root, DOCUMENTS))) files.set(name, Buffer.from(page));
  for (const { name, folder, files: names } of PACKAGES) {
    const manifest = require.resolve(`${name}/package.json`);
    const { version } = JSON.parse(readFileSync(manifest, "utf8"));
    const versioned = `${folder}-${version}`;
    for (const file of names) {
      files.set(join(versioned, file), readFileSync(join(dirname(manifest), file)));
    }
    for (const [page, html] of files) {
      if (!page.endsWith(".html")) continue;
      files.set(page, Buffer.from(html.toString().replaceAll(`/${folder}/`, `/${versioned}/`)));
    }
  }

  const directory = join(root, TARGET);
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
