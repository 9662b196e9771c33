import type { SQL } from "drizzle-orm";
import type { Statement } from "./prepared";

/** A statement of plain SQL without rows. */
export const run =
  (text: SQL): Statement =>
  (orm) =>
    orm.run(text);

/** A statement of plain SQL whose rows have the columns of `T`. */
export const all =
  <T>(text: SQL): Statement<T[]> =>
  (orm) =>
    orm.all<T>(text);
