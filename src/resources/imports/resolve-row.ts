import type { FieldError } from "../../errors";
import { MAX_TAGS_ON_LINK } from "../../lib/link-fields";
import { fold } from "../../lib/slug-text";
import { TOO_MANY_TAGS } from "../links/errors";
import type { ImportRow } from "../links/import";
import { TAG_LIMIT_REACHED } from "../tags/errors";
import { countTags, missingProblems, toForAll } from "./for-all";
import type { FindGroup } from "./groups";
import type { ForAllRow } from "./repository";
import type { ImportedLink } from "./row";

/** Resolves the group and tags of a row, with those that every row gets; returns errors if they cannot be found. */
export function resolveRow(
  number: number,
  link: ImportedLink,
  groupOf: FindGroup,
  tags: ReadonlyMap<string, string>,
  chosen: readonly ForAllRow[],
): ImportRow | readonly FieldError[] {
  const {
    activity_group: group,
    tags: names,
    status,
    utm_campaign_origin: origin,
    old_slugs,
    ...input
  } = link;
  const found = group == null ? undefined : groupOf(group);
  const ids = names.map((name) => tags.get(fold(name)));
  const forAll = toForAll(chosen);
  const errors = [
    found !== undefined && "error" in found ? found.error : undefined,
    ...missingProblems(chosen, found !== undefined),
    countTags(names, forAll) > MAX_TAGS_ON_LINK ? TOO_MANY_TAGS : undefined,
    ids.includes(undefined) ? TAG_LIMIT_REACHED : undefined,
  ].filter((error) => error !== undefined);
  if (errors.length > 0) return errors;
  return {
    number,
    archived: status === "archived",
    inherited: origin === "inherited",
    old_slugs,
    input: {
      ...input,
      activity_group_id: found !== undefined && "id" in found ? found.id : (forAll.group?.id ?? null),
      tag_ids: [...new Set([...ids.filter((tag) => tag !== undefined), ...forAll.tags.map((tag) => tag.id)])],
    },
  };
}
