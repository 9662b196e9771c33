import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { documentPages } from "./document-pages.ts";

/** Our own files; a page names the files of a package in the folder of its name. */
export const OWN_FILES = join("src", "public");
/** The documents that become the pages of /docs. */
export const DOCUMENTS = join("src", "docs");
/** As wrangler.toml has it. */
const DIRECTORY = join(".wrangler", "public");

interface Package {
  name: string;
  /** Where its files stand, without the version. */
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

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));

function isSame(file: string, content: Buffer): boolean {
  try {
    return readFileSync(file).equals(content);
  } catch {
    return false;
  }
}

/**
 * Fills the directory of the Worker's static assets: our own files, the pages of the documents, and files of packages
 * in folders that are named for their version. What is there already stays untouched, since `wrangler dev` watches it.
 */
export function makeStaticFiles(root = "."): void {
  const files = new Map<string, Buffer>();
  const own = join(root, OWN_FILES);
  for (const name of filesIn(own)) files.set(name, readFileSync(join(own, name)));
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

  const directory = join(root, DIRECTORY);
  mkdirSync(directory, { recursive: true });
  for (const name of filesIn(directory)) if (!files.has(name)) rmSync(join(directory, name), { force: true });
  for (const [name, content] of files) {
    const file = join(directory, name);
    if (isSame(file, content)) continue;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}
