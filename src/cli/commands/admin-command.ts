import { z } from "zod";
import type { ServiceContext, WorkspaceContext } from "../../context";
import { ServiceError } from "../../errors";
import { invalid } from "../../field-errors";
import { check, text, trimmed } from "../../lib/validation";
import { getWorkspace } from "../../resources/workspaces/workspace-service";
import type { PlatformOptions } from "../platform";

export interface Command {
  description: string;
  /** The options, in snake case. A boolean is a flag. */
  shape: z.ZodRawShape;
  run: (ctx: ServiceContext, given: object, platform: PlatformOptions) => Promise<object>;
  /** Whether a part of what was asked for was not done, so that the command exits with 1. */
  hasFailed?(result: object): boolean;
  /** The result without --json, if the general form does not say enough. */
  toText?(result: object): string;
}

export type Commands = Readonly<Record<string, Command>>;

type Action<C, T> = (ctx: C, input: T, platform: PlatformOptions) => Promise<object>;

/** A command whose options are the fields of a schema. Throws 422 with an error for each invalid one. */
export const command = <T>(
  description: string,
  options: z.ZodObject & z.ZodType<T>,
  run: Action<ServiceContext, T>,
): Command => ({
  description,
  shape: options.shape,
  run: (ctx, given, platform) => {
    const result = check(options, trimmed(given));
    if (!result.ok) throw invalid(result.failures);
    return run(ctx, result.value, platform);
  },
});

/** A command of a workspace, which `--workspace` names by its slug. */
export const workspaceCommand = <T>(
  description: string,
  options: z.ZodObject & z.ZodType<T>,
  run: Action<WorkspaceContext, T>,
): Command =>
  command(description, z.object({ workspace: text(120), ...options.shape }), async (ctx, given, platform) => {
    const { workspace, ...input } = given;
    return run({ ...ctx, workspace: await getWorkspace(ctx, workspace) }, input as T, platform);
  });

export const NO_OPTIONS = z.object({});

export const idOption = z.object({ id: text(26) });

/** Returns the name and the value of the only option given. Throws 422 unless exactly one is. */
export function oneOf<Name extends string>(
  options: { readonly [Option in Name]?: string | undefined },
  names: readonly Name[],
): [name: Name, value: string] {
  const given = names.flatMap((name): [Name, string][] => {
    const value = options[name];
    return value === undefined ? [] : [[name, value]];
  });
  const [only, ...others] = given;
  if (only !== undefined && others.length === 0) return only;
  const flags = new Intl.ListFormat("en-GB", { type: "disjunction" }).format(
    names.map((name) => `--${name.replaceAll("_", "-")}`),
  );
  throw new ServiceError(422, { message: `Give either ${flags}.` });
}
