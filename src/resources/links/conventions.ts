import { z } from "zod";
import type { Context } from "../../context";
import { assertNone, type FieldError } from "../../errors";
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
import { TEXT_FIELDS } from "../../lib/link-fields";
import { selectConventionBefore, updateConvention } from "./conventions-repository";
import { selectConventions } from "./statements";

const MAX_LISTED = 100;
const MAX_LIST_CHARACTERS = 5_000;

export const convention: z.ZodType<Convention> = z
  .object({
    strictness: z.enum(STRICTNESS),
    letters: z.enum(LETTERS),
    space: z.enum(SPACES),
    /** One value a line. */
    listed: z.string().max(MAX_LIST_CHARACTERS).nullish(),
  })
  .transform(({ listed, ...how }) => {
    const lines = (listed ?? "").split("\n").map((line) => written(how, line.trim().toWellFormed()));
    return { ...how, values: [...new Set(lines)].filter((line) => line !== "") };
  });

/** The conventions of the context's workspace. */
export async function readStoredConventions(ctx: Context): Promise<Conventions> {
  const [[row]] = await ctx.db.read(selectConventions(ctx.workspace.rowId));
  return readConventions(row?.conventions ?? null);
}

const listProblems = ({ values }: Convention, field: ConventionField): FieldError[] => {
  const longest = TEXT_FIELDS[field].max;
  const twins = [...Map.groupBy(values, lookAlike).values()].find((alike) => alike.length > 1);
  return [
    values.length > MAX_LISTED && `At most ${MAX_LISTED} values can be listed.`,
    values.some((value) => [...value].length > longest) && `A value has at most ${longest} characters.`,
    twins !== undefined && `${twins.join(" and ")} look alike. List one of them.`,
  ].flatMap((message) => (message === false ? [] : [{ field: "listed", message, code: "format" as const }]));
};

/** Stores how a field is written; 422 if its list is too long or has values that look alike. */
export async function saveConvention(
  ctx: Context,
  field: ConventionField,
  convention: Convention,
): Promise<void> {
  assertNone(listProblems(convention, field));
  const before = await readStoredConventions(ctx);
  if (JSON.stringify(convention) === JSON.stringify(before[field])) return;
  const { rowId, id } = ctx.workspace;
  const at = ctx.now();
  await ctx.db.write(
    {
      workspaceId: rowId,
      actor: ctx.actor,
      action: "workspace.update",
      subject: id,
      at,
      before: selectConventionBefore(rowId, field),
      change: { conventions: { [field]: convention } },
    },
    [updateConvention(rowId, field, JSON.stringify(convention), at)],
  );
}

const MAX_NAMED = 10;

const refusalOf = (field: ConventionField, values: readonly string[]): FieldError => {
  const more = values.length - MAX_NAMED;
  const named = values.slice(0, MAX_NAMED).join(", ");
  return {
    field,
    message: `The ${field.replace("_", " ")} field must be one of the workspace's values: ${named}${more > 0 ? ` and ${more} more` : ""}.`,
    code: "enum",
  };
};

type Given = { readonly [Field in ConventionField]?: string | null | undefined };

/** What was given, each value as the conventions write it, and the errors of those that they do not allow. */
export function conform<Input extends Given>(
  conventions: Conventions,
  input: Input,
): { input: Input; problems: FieldError[] } {
  const problems: FieldError[] = [];
  const values: Partial<Record<ConventionField, string>> = {};
  for (const field of CONVENTION_FIELDS) {
    const convention = conventions[field];
    const value = input[field];
    if (value == null || convention.strictness !== "only") continue;
    const fit = fitOf(convention, value);
    if (fit.kind === "unknown") problems.push(refusalOf(field, convention.values));
    if (fit.kind === "spelt") values[field] = fit.as;
  }
  return { input: { ...input, ...values }, problems };
}

/** What a form gives, as the conventions write it; 422 if they do not allow it. */
export async function toConform<Input extends Given>(ctx: Context, given: Input): Promise<Input> {
  if (CONVENTION_FIELDS.every((field) => given[field] == null)) return given;
  const { input, problems } = conform(await readStoredConventions(ctx), given);
  assertNone(problems);
  return input;
}
