import { etagOf as etagOfResource } from "../lib/etag";
import type { Link, Tag } from "./api/resources";

export { waymark } from "./api/client";
export { WaymarkError } from "./api/error";
export type * from "./api/resources";

/** The ETag of a link or tag. Pass the object as the client returned it: the order of its fields counts. */
export const etagOf: (resource: Link | Tag) => Promise<string> = etagOfResource;
