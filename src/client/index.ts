export { waymark } from "./api/client";
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
} from "./api/types";
