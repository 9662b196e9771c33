import { z } from "zod";
import { getWorkspace } from "../../../access/service";
import type { Context, ServiceContext } from "../../../context";
import { invalid, ServiceError } from "../../../errors";
import { check, text, trimmed } from "../../../lib/validation";

export type Options = Readonly<Record<string, string>>;

/** Which installation a command works on. */
interface Place {
  remote: boolean;
}

export interface Command {
  /** Names as typed, without the dashes. */
  required: readonly string[];
  optional?: readonly string[];
  /** Options without a value. A given one has the value "true". */
  flags?: readonly string[];
  description: string;
  run: (ctx: ServiceContext, options: Options, place: Place) => Promise<object>;
  /** The result without --json, if the general form does not say enough. */
  toText?(result: object): string;
}

export type Commands = Readonly<Record<string, Command>>;

/** Validates the options. Throws 422 with an error for each invalid one. */
export function parseOptions<T>(schema: z.ZodType<T>, options: Options): T {
  const fields = Object.entries(options).map(([name, value]) => [name.replaceAll("-", "_"), value]);
  const result = check(schema, trimmed(Object.fromEntries(fields)));
  if (!result.ok) throw invalid(result.failures);
  return result.value;
}

const workspaceOption = z.object({ workspace: text(120) });
const idOption = z.object({ id: text(26) });

/** Returns the value of the only option given. Throws 422 unless exactly one of the schema's options is given. */
export function parseEither(
  schema: z.ZodType<Record<string, string | null | undefined>>,
  options: Options,
): string {
  const given = Object.values(parseOptions(schema, options)).filter((value) => value != null);
  const [value] = given;
  if (value !== undefined && given.length === 1) return value;
  const names = Object.keys((schema as z.ZodObject).shape).map((name) => `--${name}`);
  throw new ServiceError(422, { message: `Give either ${names.join(" or ")}.` });
}

export const parseId = (options: Options): string => parseOptions(idOption, options).id;

export async function inWorkspace(ctx: ServiceContext, options: Options): Promise<Context> {
  const { workspace } = parseOptions(workspaceOption, options);
  return { ...ctx, workspace: await getWorkspace(ctx, workspace) };
}
