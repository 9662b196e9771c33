import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { DrizzleD1Database } from "drizzle-orm/d1";
import { type Items, type List, listOf, mapList, shapeOf, type Value } from "./list";

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

type Row = { readonly [name: string]: Value };
export type Argument = Value | List | Row;

const isList = (arg: Argument): arg is List => typeof arg === "object" && arg !== null && "content" in arg;

/** The arguments with `to` applied to every value, each told by a name of its own: `0`, `0.slug` in a row, `0.1.2` in a list. */
const mapValues = (args: readonly Argument[], to: (name: string, value: unknown) => unknown) =>
  args.map((arg, index) => {
    if (typeof arg !== "object" || arg === null) return to(`${index}`, arg);
    if (isList(arg)) return mapList(arg, (place, value) => to(`${index}.${place}`, value));
    return Object.fromEntries(
      Object.entries(arg).map(([name, value]) => [name, to(`${index}.${name}`, value)]),
    );
  });

/** Every value under its name. */
function named(args: readonly Argument[]): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  mapValues(args, (name, value) => {
    values[name] = value;
  });
  return values;
}

const shapeOfArguments = (args: readonly Argument[]): string =>
  args.map((arg) => (typeof arg === "object" && arg !== null && isList(arg) ? shapeOf(arg) : "")).join();

/** The query with its SQL at hand: drizzle writes that of a raw query each time that it is asked for. */
function written(query: PreparedQuery): PreparedQuery {
  const text = query.getQuery();
  return { getQuery: () => text, mapResult: (...result) => query.mapResult(...result) };
}

const argumentsOf = (given: readonly unknown[]): Argument[] =>
  given.map((arg) => (Array.isArray(arg) ? listOf(arg) : (arg as Argument)));

/** The arguments as they are given: a list as its items. */
type Given<Args extends readonly Argument[]> = {
  [Index in keyof Args]: Args[Index] extends List ? Items : Args[Index];
};

/**
 * A statement that is put into SQL once, for lists once a shape, and from then on sent with other values: writing it takes
 * longer than all else that a request computes. `write` gets placeholders and may only place them. A row always has the same
 * columns.
 */
export function prepared<Args extends readonly Argument[], T>(
  write: (...args: Args) => Statement<T>,
): (...args: Given<Args>) => Statement<T> {
  const queries = new Map<string, { query: PreparedQuery; names: string }>();
  return (...given) =>
    (orm) => {
      const args = argumentsOf(given);
      const values = named(args);
      const names = Object.keys(values).join();
      const shape = shapeOfArguments(args);
      let known = queries.get(shape);
      if (known === undefined) {
        const placed = mapValues(args, (name) => sql.placeholder(name));
        known = { query: written(prepare(write(...(placed as unknown as Args))(orm))), names };
        queries.set(shape, known);
      }
      if (names !== known.names) throw new Error(`written for ${known.names}, sent with others`);
      return new BoundQuery<T>(known.query, values);
    };
}

/** A condition that must hold when a batch takes effect, or nothing of the batch does. */
export type Guard = SQLWrapper;

/** A guard that is put into SQL with the audit row that holds it, once for each combination of guards. */
export class PreparedGuard implements SQLWrapper {
  constructor(
    /** Tells guards of one function from those of others. */
    readonly name: number,
    readonly write: (...args: readonly Argument[]) => SQL,
    readonly args: readonly Argument[],
  ) {}

  getSQL(): SQL {
    return this.write(...this.args);
  }
}

let guards = 0;

/** The same as `prepared` for a guard. */
export function preparedGuard<Args extends readonly Argument[]>(
  write: (...args: Args) => SQL,
): (...args: Given<Args>) => Guard {
  const name = guards++;
  return (...given) =>
    new PreparedGuard(name, write as unknown as PreparedGuard["write"], argumentsOf(given));
}
