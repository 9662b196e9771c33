import { type SQL, sql } from "drizzle-orm";
import type { DrizzleD1Database } from "drizzle-orm/d1";

export type Orm = DrizzleD1Database;

/** A query in SQL, and how its rows are read. */
export interface PreparedQuery {
  getQuery: () => { sql: string; params: unknown[] };
  mapResult: (result: unknown, isFromBatch?: boolean) => unknown;
}

/** A prepared query with the values of its placeholders. */
export class BoundQuery<T> {
  declare readonly rows: T;
  constructor(
    readonly query: PreparedQuery,
    readonly values: Record<string, unknown>,
  ) {}
}

type Query<T> =
  | (PromiseLike<T> & ({ prepare: () => PreparedQuery } | { _prepare: () => PreparedQuery }))
  | BoundQuery<T>;

/** A query that a repository has written and nobody has sent yet. */
export type Statement<T = unknown> = (orm: Orm) => Query<T>;

/** Puts a query into SQL. */
export function prepare(query: Query<unknown>): PreparedQuery {
  if (query instanceof BoundQuery) return query.query;
  return "prepare" in query ? query.prepare() : query._prepare();
}

/** A condition that must hold when a batch takes effect, or nothing of the batch does. */
export type Guard = SQL;

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
