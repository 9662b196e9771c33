import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { Link } from "../api/wire-types";

/** The short URLs of a file by key, as `urls.json` holds them. */
export function urlsJson(links: ReadonlyMap<string, Link>): string {
  const sorted = [...links].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const urls = sorted.map(([key, { slug, short_url: url, id }]) => [key, { slug, url, id }]);
  return `${JSON.stringify(Object.fromEntries(urls), null, 2)}\n`;
}

/**
 * Replaces a file in one rename, so that a reader sees the old or the new content in full. Nobody can foretell the name of the
 * part, and so put a link there through which this would write to another file.
 */
export async function writeFileAtomically(path: string, content: string | Uint8Array): Promise<void> {
  const part = `${path}.${crypto.randomUUID()}.part`;
  await mkdir(dirname(path), { recursive: true });
  try {
    await writeFile(part, content, { flush: true, flag: "wx" });
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}
