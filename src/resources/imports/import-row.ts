import { z } from "zod";
import type { Conventions } from "../../lib/conventions";
import { splitNames } from "../../lib/csv";
import { codeOf, type Failure } from "../../lib/failure";
import type { ImportedCells } from "../../lib/import-columns";
import { MAX_TAGS_ON_LINK } from "../../lib/link-fields";
import { isNoDay } from "../../lib/local-time";
import { fold, foldSlug, isSlugShaped, slugOfKey } from "../../lib/slug-text";
import { parseIsoTime } from "../../lib/time";
import { type Checked, check, refusal, refusedBy, text, trimmed, wholeNumber } from "../../lib/validation";
import { MAX_SLUGS_OF_LINK } from "../../redirect/slugs/slug-rules";
import type { ImportRow } from "../links/import-links";
import type { UpdateRow } from "../links/import-updates";
import { dateInputs, formInputs } from "../links/input-schema";
import { conform } from "../links/link-conventions";
import { TOO_MANY_TAGS } from "../links/link-errors";
import { createLinkFields } from "../links/link-schema";
import { TAG_LIMIT_REACHED } from "../tags/tag-service";
import type { FindGroup } from "./import-groups";
import { DATE_FIELDS } from "./row-cells";
import { slugRefusal } from "./slug-refusal";

/** All of a link's slugs but its own. */
const MAX_OLD_SLUGS = MAX_SLUGS_OF_LINK - 1;

/** No link has more. */
const MAX_CLICKS_BEFORE = 1_000_000_000_000;
/** No service of this kind is older. */
const EARLIEST = "2000";

/** A link as a file describes it, with names for its group and tags. */
const importedLink = createLinkFields
  .omit({ activity_group_id: true, tag_ids: true, tag_names: true })
  .extend({
    ...formInputs,
    ...dateInputs,
    activity_group: text(255).nullish(),
    status: z.enum(["active", "archived"]).nullish(),
    utm_campaign_origin: z.enum(["explicit", "inherited"]).nullish(),
    old_slugs: z
      .array(
        z.string().refine((address) => isSlugShaped(slugOfKey(address)), {
          error:
            "An old slug must be 1 to 64 letters, digits, hyphens or underscores, start with a letter or digit, and not be reserved.",
        }),
      )
      .refine((slugs) => slugs.length <= MAX_OLD_SLUGS, {
        ...refusedBy(`must not have more than ${MAX_OLD_SLUGS} slugs`, "too_long"),
        when: ({ value }) => Array.isArray(value),
      })
      .max(MAX_OLD_SLUGS),
    created_at: z
      .string()
      .refine(
        (time) => parseIsoTime(time) !== undefined,
        refusedBy("must be a date or time, such as 2026-05-01 or 2026-05-01T09:00:00Z"),
      )
      .refine((time) => time >= EARLIEST, refusedBy(`must not be before ${EARLIEST}`, "range"))
      .nullish(),
    clicks_before: wholeNumber(0, MAX_CLICKS_BEFORE).nullish(),
    tags: z
      .array(text(100))
      .refine((names) => new Set(names.map(fold)).size <= MAX_TAGS_ON_LINK, refusal(TOO_MANY_TAGS)),
  });

export type ImportedLink = z.output<typeof importedLink>;

/** The distinct slugs in a cell, without the link's own. */
const oldSlugsIn = (cell: string, slug = ""): string[] => {
  const old = new Map(cell.split(/[\s,;|]+/).map((one) => [foldSlug(one), one]));
  old.delete("");
  old.delete(foldSlug(slug));
  return [...old.values()];
};

/** The rules in a cell, as JSON. Other text stays, which no rules are. */
function rulesIn(cell: string): unknown {
  try {
    return JSON.parse(cell);
  } catch {
    return cell;
  }
}

/** A refusal in the words of the cell, where these say more. */
function inWordsOfCell(failure: Failure, cells: ImportedCells): Failure {
  const { field } = failure;
  const as = (message: string) => ({ field, code: codeOf(failure), message });
  if (field === "slug" && failure.reason !== "reserved") return as(slugRefusal(cells.slug ?? ""));
  const date = DATE_FIELDS.find((one) => one === field);
  const written = date === undefined ? "" : (cells[date] ?? "");
  return isNoDay(written) ? as(`${written} is no day of the calendar.`) : failure;
}

/** Reads cells by a schema. A row without tags or rules has those of `lists`. */
function parse<Link>(
  schema: z.ZodType<Link>,
  cells: ImportedCells,
  lists: { tags: unknown; rules: unknown },
): Checked<Link> {
  const { status, utm_campaign_origin: origin, tags, old_slugs: old, rules, ...rest } = cells;
  const result = check(
    schema,
    trimmed({
      ...rest,
      status: status?.toLowerCase(),
      utm_campaign_origin: origin?.toLowerCase(),
      tags: tags === undefined ? lists.tags : splitNames(tags),
      old_slugs: oldSlugsIn(old ?? "", cells.slug),
      rules: rules === undefined ? lists.rules : rulesIn(rules),
    }),
  );
  if (result.ok) return result;
  return { ok: false, failures: result.failures.map((failure) => inWordsOfCell(failure, cells)) };
}

const IN_FUTURE: Failure = {
  field: "created_at",
  ...{ reason: "rule", code: "range", rule: "must not be in the future" },
};

/** Converts cells to a link, its values as the workspace writes them, or returns the errors. */
export function toImportedLink(
  cells: ImportedCells,
  conventions: Conventions,
  now: number,
): Checked<ImportedLink> {
  const result = parse(importedLink, cells, { tags: [], rules: null });
  if (!result.ok) return result;
  const { input: value, problems: others } = conform(conventions, result.value);
  const problems = Date.parse(value.created_at ?? "") > now ? [...others, IN_FUTURE] : others;
  return problems.length === 0 ? { ok: true, value } : { ok: false, failures: problems };
}

/** The fields of `importedLink` that a row gives; those without a column are undefined. An update leaves a link's history as it is. */
const importedUpdate = importedLink
  .omit({ created_at: true, clicks_before: true })
  .partial({ destination_url: true, tags: true });

export type ImportedUpdate = z.output<typeof importedUpdate>;

/** Converts cells to the fields that a link gets, or returns the errors. */
export const toImportedUpdate = (cells: ImportedCells): Checked<ImportedUpdate> =>
  parse(importedUpdate, cells, { tags: undefined, rules: undefined });

/** A row as a new link, or its errors. */
export function toCreateRow(
  number: number,
  {
    activity_group: group,
    tags: names,
    status,
    utm_campaign_origin: origin,
    old_slugs,
    created_at,
    clicks_before,
    ...input
  }: ImportedLink,
  groupOf: FindGroup,
  tagOf: ReadonlyMap<string, string>,
): ImportRow | readonly Failure[] {
  const found = groupOf(group);
  if ("error" in found) return [found.error];
  const tags = names.flatMap((name) => tagOf.get(fold(name)) ?? []);
  if (tags.length < names.length) return [TAG_LIMIT_REACHED];
  return {
    number,
    archived: status === "archived",
    inherited: origin === "inherited",
    old_slugs,
    history: { created_at, clicks_before },
    input: { ...input, activity_group_id: found.id, tag_ids: [...new Set(tags)] },
  };
}

/** A row as the update of a link, or its errors. `tagOf` is undefined as long as new tags have not been made. */
export function toUpdateRow(
  number: number,
  { slug: _, domain: __, old_slugs: ___, activity_group: group, tags, status, ...fields }: ImportedUpdate,
  { link, version }: Pick<UpdateRow, "link" | "version">,
  groupOf: FindGroup,
  tagOf?: ReadonlyMap<string, string>,
): UpdateRow | readonly Failure[] {
  const { utm_campaign_origin: origin, ...given } = fields;
  const found = groupOf(group);
  if ("error" in found) return [found.error];
  if (tagOf !== undefined && tags?.some((name) => !tagOf.has(fold(name)))) return [TAG_LIMIT_REACHED];
  return {
    number,
    link,
    version,
    origin,
    input: {
      ...given,
      tag_names: tags,
      status: status ?? undefined,
      activity_group_id: group === undefined ? undefined : found.id,
    },
  };
}
