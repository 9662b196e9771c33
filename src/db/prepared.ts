import { sql } from "drizzle-orm";
import { BoundQuery, type PreparedQuery, prepare, type Statement } from "./client";

type Value = string | number | null | undefined;
type Argument = Value | { readonly [name: string]: Value };

/** Every value under a name of its own: `0`, or `0.slug` for what stands in a row. */
function named(args: readonly Argument[]): Record<string, Value> {
  const values: Record<string, Value> = {};
  for (const [index, arg] of args.entries()) {
    if (typeof arg !== "object" || arg === null) values[index] = arg;
    else for (const [name, value] of Object.entries(arg)) values[`${index}.${name}`] = value;
  }
  return values;
}

const placeholdersFor = (args: readonly Argument[]) =>
  args.map((arg, index) =>
    typeof arg !== "object" || arg === null
      ? sql.placeholder(`${index}`)
      : Object.fromEntries(Object.keys(arg).map((name) => [name, sql.placeholder(`${index}.${name}`)])),
  );

/**
 * A statement that is put into SQL once and from then on sent with other values: writing it takes longer than
 * all else that a request computes. `write` gets placeholders and may only place them. A row always has the same columns.
 */
export function prepared<Args extends readonly Argument[], T>(
  write: (...args: Args) => Statement<T>,
): (...args: Args) => Statement<T> {
  let query: PreparedQuery | undefined;
  let names = "";
  return (...args) =>
    (orm) => {
      const values = named(args);
      if (query === undefined) {
        query = prepare(write(...(placeholdersFor(args) as unknown as Args))(orm));
        names = Object.keys(values).join();
      }
      if (Object.keys(values).join() !== names) throw new Error(`written for ${names}, sent with others`);
      return new BoundQuery<T>(query, values);
    };
}
