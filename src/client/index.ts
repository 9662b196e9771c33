import { waymark as createClient } from "./api/client";
import type { Waymark, WaymarkOptions } from "./api/resources";

export { WaymarkError } from "./api/error";
export { etagOf } from "./api/etag";
export type * from "./api/resources";

/** A client of the workspace that the key belongs to. */
export const waymark = (options: WaymarkOptions): Waymark => createClient(options);
