import { sha256Hex } from "./hash";

const quoted = (hash: string): string => `"${hash.slice(0, 32)}"`;

/** A strong entity tag: a hash of the resource as GET returns it. */
export const etagOf = async (resource: unknown): Promise<string> =>
  quoted(await sha256Hex(JSON.stringify(resource)));

/** The same of a file: a hash of its bytes. */
export const etagOfFile = async (file: Uint8Array<ArrayBuffer> | string): Promise<string> =>
  quoted(await sha256Hex(file));

const OPAQUE = /^[\x21\x23-\x7e\x80-\xff]*$/;
const BEFORE_FIRST = /^\s*(?:W\/)?$/;
const BEFORE_NEXT = /^\s*,\s*(?:W\/)?$/;

/** The tags of a list; none where the header is not one, so that a broken condition lets nothing through. */
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

/** Whether an `If-Match` header asks for a version, not just, by `*`, for existence. */
export const namesVersion = (header: string | undefined): boolean =>
  header !== undefined && header.trim() !== "*";

/** Whether an `If-Match` header allows a change of what has `etag`: `*`, or a list with the same strong tag. */
export const ifMatchHolds = (header: string, etag: string): boolean =>
  header.trim() === "*" || tagsIn(header).includes(etag);

/** Whether an `If-None-Match` header says that the client has `etag` already; compared weakly, as GET is. */
export const ifNoneMatchHolds = (header: string, etag: string): boolean =>
  header.trim() === "*" || tagsIn(header).some((tag) => tag.replace(/^W\//, "") === etag);
