import type { Link, Tag } from "./resources";

/** The ETag of a link or tag. Pass the object as the client returned it: the order of its fields counts. */
export async function etagOf(resource: Link | Tag): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(JSON.stringify(resource)));
  const text = btoa(String.fromCharCode(...new Uint8Array(hash)));
  return `"${text.replaceAll("+", "-").replaceAll("/", "_").replace("=", "")}"`;
}
