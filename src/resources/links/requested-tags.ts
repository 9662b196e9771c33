import type { Statement } from "../../db/client";
import { unknownSelection } from "../../field-errors";
import type { Failure } from "../../lib/failure";
import { fold } from "../../lib/slug-text";
import { storedId } from "../../lib/ulid-text";
import { selectTagsByIds, selectTagsByNames, type TagRow } from "../tags/tag-statements";
import type { UpdateLink } from "./link-schema";

interface RequestedTags {
  field: "tag_ids" | "tag_names";
  keys: readonly string[];
}

/** The requested tags; none for null, and undefined if the request has neither field. */
export function requestedTags(input: Pick<UpdateLink, "tag_ids" | "tag_names">): RequestedTags | undefined {
  const { tag_ids: ids, tag_names: names } = input;
  if (names != null) return { field: "tag_names", keys: names.map(fold) };
  if (ids === undefined && names === undefined) return undefined;
  return { field: "tag_ids", keys: (ids ?? []).map(storedId) };
}

export function selectRequestedTags(
  workspaceId: number,
  requested: RequestedTags | undefined,
): Statement<TagRow[]> | undefined {
  if (requested === undefined || requested.keys.length === 0) return undefined;
  const select = requested.field === "tag_ids" ? selectTagsByIds : selectTagsByNames;
  return select(workspaceId, requested.keys);
}

const keyIn = (field: RequestedTags["field"]) => (tag: TagRow) =>
  field === "tag_ids" ? tag.public_id : tag.name_key;

export const pickRequested = (requested: RequestedTags | undefined, tags: readonly TagRow[]): TagRow[] =>
  requested === undefined ? [] : tags.filter((tag) => requested.keys.includes(keyIn(requested.field)(tag)));

/** An error for each requested tag that the workspace does not have, with its index in the request. */
export function unknownTags(requested: RequestedTags | undefined, tags: readonly TagRow[]): Failure[] {
  if (requested === undefined) return [];
  const { field, keys } = requested;
  const known = new Set(tags.map(keyIn(field)));
  return keys.flatMap((key, index) => (known.has(key) ? [] : [unknownSelection(`${field}.${index}`)]));
}

/** The request as the audit log records it: tags by their ids. */
export function withTagIds<T extends Pick<UpdateLink, "tag_ids" | "tag_names">>(
  input: T,
  tags: readonly { public_id: string }[],
): Omit<T, "tag_names"> {
  const { tag_names: names, ...others } = input;
  if (names === undefined) return others;
  return { ...others, tag_ids: names === null ? (input.tag_ids ?? null) : tags.map((tag) => tag.public_id) };
}
