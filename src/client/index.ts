import { etagOf as etagOfResource } from "../lib/etag";
import type { Link, Tag } from "./api/wire-types";

export { waymark } from "./api/client";
export { WaymarkError } from "./api/error";
export { readReport } from "./api/report";
export type * from "./api/wire-types";

/** The ETag of a link or tag. Pass the object as the client returned it: the order of its fields counts. */
export const etagOf: (resource: Link | Tag) => Promise<string> = etagOfResource;
