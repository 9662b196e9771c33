import { base64Url, sha256, sha256Hex } from "./hash";

/** A strong entity tag of a resource as it stands in a list: the SHA-256 of its JSON in base64url. */
export const etagOf = async (resource: unknown): Promise<string> =>
  `"${base64Url(await sha256(JSON.stringify(resource)))}"`;

/** A strong entity tag of a file: a hash of its bytes. */
export const etagOfFile = async (file: Uint8Array<ArrayBuffer> | string): Promise<string> =>
  `"${(await sha256Hex(file)).slice(0, 32)}"`;

const LIST = /^\s*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"\s*(?:,\s*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"\s*)*$/;

/** The tags of a list, without `W/`. A malformed header has none, so its condition fails. */
const tagsIn = (header: string): readonly string[] =>
  LIST.test(header) ? header.split('"').flatMap((part, index) => (index % 2 === 1 ? `"${part}"` : [])) : [];

/** The entity tags of an `If-Match` or `If-None-Match` header. `*` matches any. */
export type EntityTags = "*" | readonly string[];

export const parseEntityTags = (header: string): EntityTags => (header.trim() === "*" ? "*" : tagsIn(header));

export const isMatched = async (tags: EntityTags | undefined, resource: unknown): Promise<boolean> =>
  tags === undefined || entityTagsMatch(tags, await etagOf(resource));

/** Compares weakly: Cloudflare makes entity tags weak when it compresses a response. */
export const entityTagsMatch = (tags: EntityTags, etag: string): boolean =>
  tags === "*" || tags.includes(etag);
