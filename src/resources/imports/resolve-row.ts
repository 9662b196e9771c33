import type { FieldError } from "../../errors";
import { fold } from "../../lib/slug-text";
import type { ImportRow } from "../links/import";
import { TAG_LIMIT_REACHED } from "../tags/errors";
import type { FindGroup } from "./groups";
import type { ImportedLink } from "./row";

/** A row as a new link, or its errors. */
export function resolveRow(
  number: number,
  {
    activity_group: group,
    tags: names,
    status,
    utm_campaign_origin: origin,
    old_slugs,
    ...input
  }: ImportedLink,
  groupOf: FindGroup,
  tagOf: ReadonlyMap<string, string>,
): ImportRow | readonly FieldError[] {
  const found = group == null ? undefined : groupOf(group);
  if (found !== undefined && "error" in found) return [found.error];
  const tags = names.map((name) => tagOf.get(fold(name))).filter((tag) => tag !== undefined);
  if (tags.length < names.length) return [TAG_LIMIT_REACHED];
  return {
    number,
    archived: status === "archived",
    inherited: origin === "inherited",
    old_slugs,
    input: { ...input, activity_group_id: found?.id ?? null, tag_ids: [...new Set(tags)] },
  };
}
