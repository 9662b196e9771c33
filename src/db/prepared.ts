import { is, type Query, SQL, type SQLWrapper, sql } from "drizzle-orm";
import { SQLiteAsyncDialect, SQLiteColumn } from "drizzle-orm/sqlite-core";
import { drizzle, type SqliteRemoteDatabase } from "drizzle-orm/sqlite-proxy";
import { type BoundList, boundList, type ListValues, type Value } from "./bound-list";
import { Literal } from "./literal";

// The only file that knows how drizzle makes SQL. It uses `toSQL`, the dialect's `sqlToQuery` and `as`, which are public.

/** A query that has not been sent. */
export type Statement<T = unknown> = (PromiseLike<T> & { toSQL: () => Query }) | Literal<T>;

/** `undefined` yields an empty list. */
export type ReadStatement = Statement<unknown[]> | undefined;

export type Results<S extends readonly ReadStatement[]> = {
  -readonly [Index in keyof S]: S[Index] extends Statement<infer T> | undefined ? T : never;
};

const dialect = new SQLiteAsyncDialect();
const builder: SqliteRemoteDatabase = drizzle(() => {
  throw new Error("Statements are sent by db/client");
});

const raw = (query: SQLWrapper): Literal<never> => {
  const { sql: text, params } = dialect.sqlToQuery(query.getSQL());
  return new Literal(text, params);
};

/** Columns and expressions by name, or by a path of two names. */
interface Fields {
  [name: string]: SQLiteColumn | SQL | SQL.Aliased | Fields;
}

/** Each column gets its path as its name, so that rows say themselves where a value belongs. */
const withPaths = (fields: Fields, prefix = ""): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const path = `${prefix}${name}`;
      if (is(field, SQL.Aliased)) return [name, field.sql.as(path)];
      if (is(field, SQL)) return [name, field.as(path)];
      if (is(field, SQLiteColumn)) return [name, sql`${field}`.as(path)];
      return [name, withPaths(field as Fields, `${path}.`)];
    }),
  );

const select = (fields?: Fields) =>
  fields === undefined ? builder.select() : builder.select(withPaths(fields) as Record<string, SQL.Aliased>);

/** Puts values whose names are paths into objects of their own. Looks at the names of a statement's columns once. */
function nestRows() {
  let paths: (readonly [name: string, outer: string, inner: string | undefined])[] | undefined;
  const toRow = (cells: Record<string, unknown>) => {
    const row: Record<string, unknown> = {};
    for (const [name, outer, inner] of paths ?? []) {
      if (inner === undefined) row[outer] = cells[name];
      else {
        row[outer] ??= {};
        (row[outer] as typeof row)[inner] = cells[name];
      }
    }
    return row;
  };
  return (rows: unknown[]): unknown[] => {
    const [first] = rows;
    if (first == null) return rows;
    paths ??= Object.keys(first).map((name) => {
      const [outer = "", inner] = name.split(".");
      return [name, outer, inner] as const;
    });
    const isNested = paths.some(([, , inner]) => inner !== undefined);
    return isNested ? (rows as Record<string, unknown>[]).map(toRow) : rows;
  };
}

/** Builds statements, and sends none: `db/client` does. */
export const orm = {
  select: select as typeof builder.select,
  insert: builder.insert.bind(builder) as typeof builder.insert,
  update: builder.update.bind(builder) as typeof builder.update,
  delete: builder.delete.bind(builder) as typeof builder.delete,
  all: <Row>(query: SQLWrapper): Literal<Row[]> => raw(query),
  run: (query: SQLWrapper): Literal => raw(query),
};

export function toLiteral<T>(statement: Statement<T>): Literal<T> {
  if (statement instanceof Literal) return statement;
  const { sql: text, params } = statement.toSQL();
  return new Literal(text, params, nestRows());
}

/** A statement with the values of a call, of which the SQL was built before. */
export class BoundQuery<T> extends Literal<T> {}

type NamedValues = { readonly [name: string]: Value };
type Argument = Value | BoundList | NamedValues;

/** The caller's arguments, with lists as plain arrays. */
type Arguments<Args extends readonly Argument[]> = {
  [Index in keyof Args]: Args[Index] extends BoundList ? ListValues : Args[Index];
};

/** Stands for an argument of a call, or for a field of one, among the values of a prepared statement. */
class Placeholder {
  constructor(
    private readonly index: number,
    private readonly name?: string,
  ) {}

  valueIn(given: readonly unknown[]): unknown {
    const value = given[this.index];
    if (this.name !== undefined) return (value as NamedValues)[this.name];
    return Array.isArray(value) ? boundList(value).json : value;
  }
}

const placeholderFor = (value: unknown, index: number) => {
  if (Array.isArray(value)) return { json: new Placeholder(index) };
  if (typeof value !== "object" || value === null) return new Placeholder(index);
  return Object.fromEntries(Object.keys(value).map((name) => [name, new Placeholder(index, name)]));
};

const columnsOf = (value: unknown): string =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? Object.keys(value).join() : "";

/**
 * A statement whose SQL is built once, because building SQL is the largest CPU cost of a request. `write` gets
 * placeholders, so it must not inspect its arguments. A row must always have the same columns.
 */
export function prepared<Args extends readonly Argument[], T>(
  write: (...args: Args) => Statement<T>,
): (...args: Arguments<Args>) => BoundQuery<T> {
  let known: { statement: Literal<T>; columns: string } | undefined;
  return (...given) => {
    const columns = given.map(columnsOf).join(" ");
    known ??= { statement: toLiteral(write(...(given.map(placeholderFor) as unknown as Args))), columns };
    if (columns !== known.columns)
      throw new Error(`The statement was prepared for ${known.columns}, but got ${columns}`);
    const { sql: text, params, mapRows } = known.statement;
    const values = params.map((param) => (param instanceof Placeholder ? param.valueIn(given) : param));
    return new BoundQuery<T>(text, values, mapRows);
  };
}

/** A query of which everything but the end is built once. The beginning has no parameters. `toRow` changes its rows. */
export function withEnd<Read, Row = Read>(
  beginning: Statement<Read[]>,
  toRow?: (row: Read) => Row,
): (end: SQL) => BoundQuery<Row[]> {
  const { sql: text, mapRows } = toLiteral(beginning);
  const toRows = (rows: unknown[]) =>
    toRow === undefined ? mapRows(rows) : (mapRows(rows) as Read[]).map(toRow);
  return (end) => {
    const { sql: ended, params } = raw(end);
    return new BoundQuery<Row[]>(`${text} ${ended}`, params, toRows);
  };
}
