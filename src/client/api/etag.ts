import type { Link, Tag } from "./types";

/** The ETag of a link or tag as it was listed. Its fields must be in the order in which they came. */
export async function etagOf(resource: Link | Tag): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(JSON.stringify(resource)));
  const text = btoa(String.fromCharCode(...new Uint8Array(hash)));
  return `"${text.replaceAll("+", "-").replaceAll("/", "_").replace("=", "")}"`;
}
