import {
  array,
  coerce,
  config,
  int,
  iso,
  literal,
  NEVER,
  object,
  preprocess,
  record,
  string,
  unknown,
  ZodType,
  enum as zodEnum,
} from "zod/v4";

/** What the Worker uses of zod. In the bundle it stands for all of zod, which is twice as large (wrangler.toml). */
export const z = {
  array,
  coerce,
  config,
  enum: zodEnum,
  int,
  iso,
  literal,
  NEVER,
  object,
  preprocess,
  record,
  string,
  unknown,
  ZodType,
};
