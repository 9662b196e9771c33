import * as all from "zod/v4";

/** What the Worker uses of zod. In the build it stands for all of zod, which is twice as large (cli/modules.ts). */
export const z = {
  array: all.array,
  coerce: all.coerce,
  config: all.config,
  enum: all.enum,
  int: all.int,
  iso: all.iso,
  literal: all.literal,
  NEVER: all.NEVER,
  object: all.object,
  preprocess: all.preprocess,
  record: all.record,
  string: all.string,
  unknown: all.unknown,
  ZodArray: all.ZodArray,
  ZodNullable: all.ZodNullable,
  ZodObject: all.ZodObject,
  ZodOptional: all.ZodOptional,
  ZodType: all.ZodType,
};
