import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { DrizzleD1Database } from "drizzle-orm/d1";
import { type Items, type List, mapList, shapeOf, toList, type Value } from "./list";

export type Orm = DrizzleD1Database;

/** A query as SQL, with the mapper of its rows. */
interface PreparedQuery {
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

/** A query that has not been sent. */
export type Statement<T = unknown> = (orm: Orm) => Query<T>;

export function prepare(query: Query<unknown>): PreparedQuery {
  if (query instanceof BoundQuery) return query.query;
  return "prepare" in query ? query.prepare() : query._prepare();
}

type Row = { readonly [name: string]: Value };
export type Argument = Value | List | Row;

const isList = (arg: Argument): arg is List => typeof arg === "object" && arg !== null && "content" in arg;

/** Applies `to` to every value, with a unique name: `0`, `0.slug` in a row, `0.1.2` in a list. */
const mapValues = (args: readonly Argument[], to: (name: string, value: unknown) => unknown) =>
  args.map((arg, index) => {
    if (typeof arg !== "object" || arg === null) return to(`${index}`, arg);
    if (isList(arg)) return mapList(arg, (place, value) => to(`${index}.${place}`, value));
    return Object.fromEntries(
      Object.entries(arg).map(([name, value]) => [name, to(`${index}.${name}`, value)]),
    );
  });

function named(args: readonly Argument[]): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  mapValues(args, (name, value) => {
    values[name] = value;
  });
  return values;
}

const shapeOfArguments = (args: readonly Argument[]): string =>
  args.map((arg) => (typeof arg === "object" && arg !== null && isList(arg) ? shapeOf(arg) : "")).join();

/** Caches the SQL, because drizzle builds the SQL of a raw query on every call. */
function withCachedSql(query: PreparedQuery): PreparedQuery {
  const text = query.getQuery();
  return { getQuery: () => text, mapResult: (...result) => query.mapResult(...result) };
}

const argumentsOf = (given: readonly unknown[]): Argument[] =>
  given.map((arg) => (Array.isArray(arg) ? toList(arg) : (arg as Argument)));

/** The caller's arguments, with lists as plain arrays. */
type Given<Args extends readonly Argument[]> = {
  [Index in keyof Args]: Args[Index] extends List ? Items : Args[Index];
};

/**
 * A statement whose SQL is built once (per shape of its lists), because building SQL is the largest CPU cost of a request.
 * `write` gets placeholders, so it must not inspect its arguments. A row must always have the same columns.
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
        known = { query: withCachedSql(prepare(write(...(placed as unknown as Args))(orm))), names };
        queries.set(shape, known);
      }
      if (names !== known.names)
        throw new Error(`The statement was prepared for ${known.names}, but got other arguments`);
      return new BoundQuery<T>(known.query, values);
    };
}

/** A condition that must hold when a batch commits. Otherwise the whole batch is rolled back. */
export type Guard = SQLWrapper;

/** A guard whose SQL is built with that of the audit row, once per combination of guards. */
export class PreparedGuard implements SQLWrapper {
  constructor(
    /** Unique per guard function. */
    readonly name: number,
    readonly write: (...args: readonly Argument[]) => SQL,
    readonly args: readonly Argument[],
  ) {}

  getSQL(): SQL {
    return this.write(...this.args);
  }
}

let guards = 0;

/** Like `prepared`, for a guard. */
export function preparedGuard<Args extends readonly Argument[]>(
  write: (...args: Args) => SQL,
): (...args: Given<Args>) => Guard {
  const name = guards++;
  return (...given) =>
    new PreparedGuard(name, write as unknown as PreparedGuard["write"], argumentsOf(given));
}
