/** SHA-256 of a text as lower-case hexadecimal. */
export async function sha256Hex(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A strong entity tag: a hash of the resource as GET returns it. */
export const etagOf = async (resource: unknown): Promise<string> =>
  `"${(await sha256Hex(JSON.stringify(resource))).slice(0, 32)}"`;

const ENTITY_TAG = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;

/** Whether an `If-Match` header allows a change of what has `etag`: `*`, or a list with the same strong tag. */
export const ifMatchHolds = (header: string, etag: string): boolean =>
  header.trim() === "*" || (header.match(ENTITY_TAG) ?? []).some((tag) => tag === etag);

/** Whether an `If-None-Match` header says that the client has `etag` already; compared weakly, as GET is. */
export const ifNoneMatchHolds = (header: string, etag: string): boolean =>
  header.trim() === "*" || (header.match(ENTITY_TAG) ?? []).some((tag) => tag.replace(/^W\//, "") === etag);
