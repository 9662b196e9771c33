import type { Statement } from "../../db/client";
import type { FieldError } from "../../errors";
import { fold } from "../../lib/slug-text";
import { storedId } from "../../lib/ulid-text";
import { selectTagsByIds, selectTagsByNames, type TagRow } from "../tags/statements";
import { unknownTag } from "./errors";
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

const keyIn = (field: RequestedTags["field"]) => (tag: TagRow) =>
  field === "tag_ids" ? tag.public_id : tag.name_key;

const keysOf = ({ field, values }: RequestedTags): string[] =>
  values.map(field === "tag_ids" ? storedId : fold);

/** Those of the tags that the request lists. */
export function pickRequested(requested: RequestedTags | undefined, tags: readonly TagRow[]): TagRow[] {
  if (requested === undefined) return [];
  const keys = new Set(keysOf(requested));
  return tags.filter((tag) => keys.has(keyIn(requested.field)(tag)));
}

/** An error for each requested tag that the workspace does not have, with its index in the request. */
export function unknownTags(requested: RequestedTags | undefined, tags: readonly TagRow[]): FieldError[] {
  if (requested === undefined) return [];
  const { field } = requested;
  const known = new Set(tags.map(keyIn(field)));
  return keysOf(requested).flatMap((key, index) => (known.has(key) ? [] : [unknownTag(`${field}.${index}`)]));
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
