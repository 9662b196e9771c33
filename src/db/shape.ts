import { Column, getTableName, Param, SQL, StringChunk, sql, Table } from "drizzle-orm";

/** What a piece of SQL says apart from its values. Pieces of the same shape differ in their values alone. */
export interface Shape {
  key: string;
  /** By the names of their placeholders: `name.0`, `name.1` … */
  values: Record<string, unknown>;
}

const isValue = (chunk: unknown): boolean =>
  chunk === null || typeof chunk === "string" || typeof chunk === "number";

/** The text of a part without a value; undefined for a list, a sub-query and what else is not told by a name. */
function textOf(chunk: unknown): string | undefined {
  if (chunk instanceof StringChunk) return chunk.value.join("");
  if (chunk instanceof Column) return `${getTableName(chunk.table)}.${chunk.name}`;
  return chunk instanceof Table ? getTableName(chunk) : undefined;
}

/** The shape of a piece of SQL; undefined if one of its parts is not known. */
export function shapeOf(piece: SQL, name: string): Shape | undefined {
  const key: string[] = [];
  const values: unknown[] = [];
  function add(chunk: unknown): boolean {
    if (chunk instanceof SQL) return chunk.queryChunks.every(add);
    const isParam = chunk instanceof Param;
    if (isParam || isValue(chunk)) values.push(isParam ? chunk.encoder.mapToDriverValue(chunk.value) : chunk);
    const text = isParam || isValue(chunk) ? "?" : textOf(chunk);
    if (text !== undefined) key.push(text);
    return text !== undefined;
  }
  if (!add(piece)) return undefined;
  return {
    key: key.join("\0"),
    values: Object.fromEntries(values.map((value, index) => [`${name}.${index}`, value])),
  };
}

/** The same SQL with placeholders for its values. */
export function withPlaceholders(piece: SQL, name: string): SQL {
  let index = 0;
  const place = (chunk: SQL["queryChunks"][number]): SQL["queryChunks"][number] => {
    if (chunk instanceof SQL) return new SQL(chunk.queryChunks.map(place));
    return chunk instanceof Param || isValue(chunk) ? sql.placeholder(`${name}.${index++}`) : chunk;
  };
  return new SQL(piece.queryChunks.map(place));
}
