import type { PublicSuffixes } from "../lib/registrable-domain";

/** Made with the static files. As code it would be compiled behind the first visit of each instance. */
export const SUFFIXES_FILE = "public-suffixes.txt";
const MAX_READ_MS = 3_000;

let known: PublicSuffixes | undefined;

/** ICANN's public suffixes, which an instance reads once from the static files. None where there are no files, as in commands. */
export async function publicSuffixes(files: Fetcher | undefined): Promise<PublicSuffixes> {
  if (files === undefined) return new Set();
  if (known === undefined) {
    const signal = AbortSignal.timeout(MAX_READ_MS);
    const file = await files.fetch(`https://files.internal/${SUFFIXES_FILE}`, { signal });
    if (!file.ok) throw new Error(`${SUFFIXES_FILE} is answered with ${file.status}`);
    known = new Set((await file.text()).split("\n"));
  }
  return known;
}
