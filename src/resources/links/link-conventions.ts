import { z } from "zod";
import { auditEntry, type Context, type WorkspaceContext } from "../../context";
import { changedMeanwhile, retryLostRaces } from "../../errors";
import { assertNone } from "../../field-errors";
import {
  CONVENTION_FIELDS,
  type Convention,
  type ConventionField,
  type Conventions,
  fitOf,
  LETTERS,
  lookAlike,
  readConventions,
  SPACES,
  STRICTNESS,
  written,
} from "../../lib/conventions";
import { isMatched } from "../../lib/etag";
import type { Failure } from "../../lib/failure";
import { VALUE_FIELDS } from "../../lib/link-fields";
import { text } from "../../lib/validation";
import {
  ensureConventionsUnchanged,
  selectConventionBefore,
  selectConventions,
  updateConvention,
} from "./link-statements";

const MAX_LISTED = 100;
const MAX_LIST_CHARACTERS = 5_000;

export const convention: z.ZodType<Convention> = z
  .object({
    strictness: z.enum(STRICTNESS),
    letters: z.enum(LETTERS),
    space: z.enum(SPACES),
    listed: z.string().max(MAX_LIST_CHARACTERS).nullish(),
  })
  .transform(({ listed, ...how }) => {
    const lines = (listed ?? "").split("\n").map((line) => written(how, line.trim().toWellFormed()));
    return { ...how, values: [...new Set(lines)].filter((line) => line !== "") };
  });

export async function readStoredConventions(ctx: Context): Promise<Conventions> {
  const [[row]] = await ctx.db.read(selectConventions(ctx.workspace.rowId));
  return readConventions(row?.conventions ?? null);
}

const isTooLong = (field: ConventionField, value: string): boolean =>
  [...value].length > VALUE_FIELDS[field].max;

const listProblems = ({ values }: Convention, field: ConventionField): Failure[] => {
  const twins = [...Map.groupBy(values, lookAlike).values()].find((alike) => alike.length > 1);
  return [
    values.length > MAX_LISTED && `At most ${MAX_LISTED} values can be listed.`,
    values.some((value) => isTooLong(field, value)) &&
      `A value has at most ${VALUE_FIELDS[field].max} characters.`,
    values.some((value) => !text().safeParse(value).success) && "A value has no control characters.",
    twins !== undefined && `${twins.join(" and ")} look alike. List one of them.`,
  ].flatMap((message) => (message === false ? [] : [{ field: "listed", message, code: "format" as const }]));
};

/**
 * Stores how a field is written; 422 if its list is too long or has values that look alike, 412 if `If-Match` is not that of the
 * stored convention.
 */
export async function saveConvention(
  ctx: WorkspaceContext,
  field: ConventionField,
  convention: Convention,
): Promise<void> {
  assertNone(listProblems(convention, field));
  await retryLostRaces(async () => {
    const { rowId, id } = ctx.workspace;
    const [[row]] = await ctx.db.read(selectConventions(rowId));
    const stored = row?.conventions ?? null;
    const before = readConventions(stored)[field];
    if (!(await isMatched(ctx.ifMatch, before))) throw changedMeanwhile("list");
    if (JSON.stringify(convention) === JSON.stringify(before)) return;
    const at = ctx.now();
    await ctx.db.write(
      {
        ...auditEntry(ctx, "workspace.update", id, at),
        before: selectConventionBefore(rowId, field),
        change: { conventions: { [field]: convention } },
        guards: [ensureConventionsUnchanged(rowId, stored)],
      },
      [updateConvention(rowId, field, JSON.stringify(convention), at)],
    );
  });
}

type ConventionValues = { readonly [Field in ConventionField]?: string | null | undefined };

/** What was given, each value that is not kept as the conventions write it, and the errors of those that they do not allow. */
export function conform<Input extends ConventionValues>(
  conventions: Conventions,
  input: Input,
  isKept: (field: ConventionField) => boolean = () => false,
): { input: Input; problems: Failure[] } {
  const problems: Failure[] = [];
  const values: Partial<Record<ConventionField, string>> = {};
  for (const field of CONVENTION_FIELDS) {
    const convention = conventions[field];
    const value = input[field];
    if (value == null || convention.strictness !== "only" || isKept(field)) continue;
    const fit = fitOf(convention, value);
    if (fit.kind === "unknown") problems.push({ field, reason: "convention", values: convention.values });
    if (fit.kind !== "spelt") continue;
    // Some letters are longer in lower case.
    if (isTooLong(field, fit.as))
      problems.push({ field, reason: "too_many_characters", max: VALUE_FIELDS[field].max });
    values[field] = fit.as;
  }
  return { input: { ...input, ...values }, problems };
}

/** What a form gives, as the conventions write it; 422 if they do not allow it. A value that there `was` may stay. */
export async function toConform<Input extends ConventionValues>(
  ctx: Context,
  given: Input,
  was: ConventionValues = {},
): Promise<Input> {
  const isKept = (field: ConventionField) => given[field] == null || given[field] === was[field];
  if (CONVENTION_FIELDS.every(isKept)) return given;
  const stored = await readStoredConventions(ctx);
  const { input, problems } = conform(stored, given, isKept);
  assertNone(problems);
  return input;
}
