import { waymark as createClient } from "./api/client";
import type { Waymark, WaymarkOptions } from "./api/resources";

export { WaymarkError } from "./api/error";
export { etagOf } from "./api/etag";
export type {
  ActivityGroup,
  CreateLink,
  CreateTag,
  GroupFilter,
  Link,
  LinkFilter,
  QrOptions,
  Tag,
  UpdateLink,
  UpdateTag,
  UpsertOutcome,
  Waymark,
  WaymarkOptions,
  WriteOptions,
} from "./api/resources";

/** A client of the workspace that the key belongs to. */
export const waymark = (options: WaymarkOptions): Waymark => createClient(options);
