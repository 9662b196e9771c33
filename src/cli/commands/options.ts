import { z } from "zod";
import type { Context, ServiceContext } from "../../context";
import { invalid, ServiceError } from "../../errors";
import { check, text, trimmed } from "../../lib/validation";
import { getWorkspace } from "../../workspaces/service";

export type Options = Readonly<Record<string, string>>;

export interface Command {
  /** The options as typed, without the dashes; those in `required` must be there. */
  required: readonly string[];
  optional?: readonly string[];
  /** Options without a value; one that is given has the text "true". */
  flags?: readonly string[];
  does: string;
  run: (ctx: ServiceContext, options: Options) => Promise<object>;
}

export type Commands = Readonly<Record<string, Command>>;

/** The options as a schema takes them; refuses with every failing one. */
export function checked<T>(schema: z.ZodType<T>, options: Options): T {
  const fields = Object.entries(options).map(([name, value]) => [name.replaceAll("-", "_"), value]);
  const result = check(schema, trimmed(Object.fromEntries(fields)));
  if (!result.ok) throw invalid(result.failures);
  return result.value;
}

const workspaceOption = z.object({ workspace: text(120) });
const idOption = z.object({ id: text(26) });

/** The one option that is given of those that a schema allows. */
export function oneOf(
  schema: z.ZodType<Record<string, string | null | undefined>>,
  options: Options,
): string {
  const given = Object.values(checked(schema, options)).filter((value) => value != null);
  const [value] = given;
  if (value !== undefined && given.length === 1) return value;
  const names = Object.keys((schema as z.ZodObject).shape).map((name) => `--${name}`);
  throw new ServiceError(422, { message: `Give either ${names.join(" or ")}.` });
}

export const idIn = (options: Options): string => checked(idOption, options).id;

export async function inWorkspace(ctx: ServiceContext, options: Options): Promise<Context> {
  const { workspace } = checked(workspaceOption, options);
  return { ...ctx, workspace: await getWorkspace(ctx, workspace) };
}
