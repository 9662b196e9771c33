import type { Context } from "../../context";
import { assertNone } from "../../field-errors";
import { type Conventions, hasConvention, lookAlike, readConventions } from "../../lib/conventions";
import { eachField, VALUE_FIELDS, type ValueFieldName } from "../../lib/link-fields";
import { assertOwnBulkChange, type BulkResult, MAX_LINKS_PER_COMMIT } from "./bulk-change";
import { changeMeasuredLinks } from "./change-many";
import { conform } from "./link-conventions";
import { selectLinksWithValues } from "./link-outlines-repository";
import { selectConventions } from "./link-statements";
import { selectNewestCampaigns, selectValues } from "./utm-values-repository";
import type { BulkChange } from "./write/audit-entries";

/** More values of a field are not listed. */
export const MAX_VALUES = 1_000;
export const MAX_REPLACED = 100;

export interface UsedValue {
  value: string;
  links: number;
}

/** The values of fields in use, up to so many of each in alphabetical order, of these the most used first. */
export async function listValues(
  ctx: Context,
  fields: readonly ValueFieldName[],
  most: number,
): Promise<Record<ValueFieldName, UsedValue[]>> {
  const rows = await ctx.db.read(...fields.map((field) => selectValues(ctx.workspace.rowId, field, most)));
  return eachField(VALUE_FIELDS, (field) =>
    (rows[fields.indexOf(field)] ?? [])
      .map(({ value, active, archived }) => ({ value, links: active + archived }))
      .sort((one, other) => other.links - one.links),
  );
}

/** Values that look alike, the most used first, in the order of their first. */
export const groupLookAlikes = <Used extends { value: string }>(values: readonly Used[]): Used[][] => [
  ...Map.groupBy(values, ({ value }) => lookAlike(value)).values(),
];

const NEWEST_LINKS = 200;
const MAX_SUGGESTIONS = 20;

type SuggestedValues = Readonly<Record<ValueFieldName, readonly string[]>>;

/** Of values that look alike, the one that is used most often; all in their order. */
function withoutLookAlikes(values: readonly string[]): string[] {
  const uses = Map.groupBy(values, (value) => value);
  const used = [...uses].map(([value, { length: links }]) => ({ value, links }));
  return groupLookAlikes(used)
    .map((group) => group.reduce((most, other) => (other.links > most.links ? other : most)).value)
    .slice(0, MAX_SUGGESTIONS);
}

/** What the form of a link suggests: the workspace's own lists, else the values of the newest 200 links, the latest first. */
export async function listSuggestions(
  ctx: Context,
): Promise<{ suggestions: SuggestedValues; conventions: Conventions }> {
  const workspaceId = ctx.workspace.rowId;
  const [rows, [workspace]] = await ctx.db.read(
    selectNewestCampaigns(workspaceId, NEWEST_LINKS),
    selectConventions(workspaceId),
  );
  const conventions = readConventions(workspace?.conventions ?? null);
  const suggested = (field: ValueFieldName): readonly string[] => {
    const { strictness = "off", values = [] } = hasConvention(field) ? conventions[field] : {};
    return strictness !== "off" && values.length > 0
      ? values
      : withoutLookAlikes(rows.flatMap((row) => row[field] || []));
  };
  return { suggestions: eachField(VALUE_FIELDS, suggested), conventions };
}

/**
 * Gives a value to links that have one of others, at most 250 in a request. 422 if the conventions do not allow it. A
 * campaign that a link has from its Activity Group becomes its own. All requests of a batch are one change, which can be
 * undone. Also returns the value as the conventions write it.
 */
export async function replaceValues(
  ctx: Context,
  { field, values, to }: { field: ValueFieldName; values: readonly string[]; to: string },
  batch: BulkChange | null,
): Promise<BulkResult & { to: string }> {
  await assertOwnBulkChange(ctx, batch, "link.update");
  const workspaceId = ctx.workspace.rowId;
  const others = [...new Set(values)].filter((value) => value !== to);
  const [found, [workspace]] = await ctx.db.read(
    selectLinksWithValues(workspaceId, field, others, MAX_LINKS_PER_COMMIT),
    selectConventions(workspaceId),
  );
  const { input: set, problems } = conform(readConventions(workspace?.conventions ?? null), { [field]: to });
  assertNone(problems);
  // Once more by its spelling, which is not replaced itself.
  const written = set[field] ?? to;
  if (written !== to) return replaceValues(ctx, { field, values, to: written }, batch);
  if (found.length === 0) return { outcomes: [], batch, next: null, to };
  const changed = await changeMeasuredLinks(ctx, { change: "set", set }, found, batch);
  // Links that cannot be changed would be found again.
  const isStuck = changed.outcomes.every(({ outcome }) => outcome !== "changed");
  return { ...changed, next: isStuck || found.length < MAX_LINKS_PER_COMMIT ? null : to, to };
}
