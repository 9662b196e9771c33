import type { Statement } from "../db/client";
import { type FieldError, unknownTag } from "../errors";
import { fold } from "../lib/slug-text";
import { storedId } from "../lib/ulid-text";
import { selectTagsByIds, selectTagsByNames, type TagRow } from "../tags/repository";
import type { UpdateLink } from "./schema";

/** The tags that a request lists by id or by name. */
interface RequestedTags {
  field: "tag_ids" | "tag_names";
  values: readonly string[];
}

/** The requested tags; none for null, and undefined if the request has neither field. */
export function requestedTags(input: Pick<UpdateLink, "tag_ids" | "tag_names">): RequestedTags | undefined {
  const { tag_ids: ids, tag_names: names } = input;
  if (names != null) return { field: "tag_names", values: names };
  return ids === undefined && names === undefined ? undefined : { field: "tag_ids", values: ids ?? [] };
}

/** Selects the requested tags that exist. */
export function selectRequestedTags(
  workspaceId: number,
  requested: RequestedTags | undefined,
): Statement<TagRow[]> | undefined {
  if (requested === undefined || requested.values.length === 0) return undefined;
  return requested.field === "tag_ids"
    ? selectTagsByIds(workspaceId, requested.values.map(storedId))
    : selectTagsByNames(workspaceId, requested.values.map(fold));
}

const isNamed = ({ public_id: id, name_key: key }: TagRow, field: RequestedTags["field"], value: string) =>
  field === "tag_ids" ? id === storedId(value) : key === fold(value);

/** Whether the request lists a tag. */
export const isRequested = (requested: RequestedTags | undefined, tag: TagRow): boolean =>
  requested?.values.some((value) => isNamed(tag, requested.field, value)) ?? false;

/** An error for each requested tag that the workspace does not have, with its index in the request. */
export function unknownTags(requested: RequestedTags | undefined, tags: readonly TagRow[]): FieldError[] {
  if (requested === undefined) return [];
  const { field, values } = requested;
  return values.flatMap((value, index) =>
    tags.some((tag) => isNamed(tag, field, value)) ? [] : [unknownTag(`${field}.${index}`)],
  );
}

/** The request as the audit log records it: tags by their ids. */
export function withTagIds<T extends Pick<UpdateLink, "tag_ids" | "tag_names">>(
  input: T,
  tags: readonly { public_id: string }[],
): Omit<T, "tag_names"> {
  const { tag_names: names, ...others } = input;
  return names == null ? others : { ...others, tag_ids: tags.map((tag) => tag.public_id) };
}
