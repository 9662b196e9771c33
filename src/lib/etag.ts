import { sha256Hex } from "./hash";

const quoted = (hash: string): string => `"${hash.slice(0, 32)}"`;

/** A strong entity tag: a hash of the resource as GET returns it. */
export const etagOf = async (resource: unknown): Promise<string> =>
  quoted(await sha256Hex(JSON.stringify(resource)));

/** A strong entity tag of a file: a hash of its bytes. */
export const etagOfFile = async (file: Uint8Array<ArrayBuffer> | string): Promise<string> =>
  quoted(await sha256Hex(file));

const OPAQUE = /^[\x21\x23-\x7e\x80-\xff]*$/;
const BEFORE_FIRST = /^\s*(?:W\/)?$/;
const BEFORE_NEXT = /^\s*,\s*(?:W\/)?$/;

/** The tags of a list. A malformed header has none, so its condition fails. */
function tagsIn(header: string): readonly string[] {
  const parts = header.split('"');
  const after = parts.pop() ?? "";
  const tags: string[] = [];
  for (let at = 0; at < parts.length; at += 2) {
    const [before = "", opaque] = parts.slice(at, at + 2);
    const begins = at === 0 ? BEFORE_FIRST : BEFORE_NEXT;
    if (!begins.test(before) || opaque === undefined || !OPAQUE.test(opaque)) return [];
    tags.push(`${before.endsWith("W/") ? "W/" : ""}"${opaque}"`);
  }
  return after.trim() === "" ? tags : [];
}

/** The entity tags of an `If-Match` or `If-None-Match` header. `*` matches any. */
export type EntityTags = "*" | readonly string[];

export const parseEntityTags = (header: string): EntityTags => (header.trim() === "*" ? "*" : tagsIn(header));

/** True if `If-Match` allows a change. Compares strongly. */
export const ifMatchHolds = (tags: EntityTags, etag: string): boolean => tags === "*" || tags.includes(etag);

/** True if the client already has `etag`. Compares weakly. */
export const ifNoneMatchHolds = (tags: EntityTags, etag: string): boolean =>
  tags === "*" || tags.some((tag) => tag.replace(/^W\//, "") === etag);
