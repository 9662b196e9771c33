import type { AuditedChange, Database, ReadStatement, Results, Statement } from "../src/db/client";
import { toLiteral } from "../src/db/prepared";

// D1 and KV in memory, for tests that need neither.

export interface Written {
  sql: string;
  params: unknown[];
}

/** A statement as D1 receives it. */
export function written(statement: Statement): Written {
  const { sql, params } = toLiteral(statement);
  return { sql, params: [...params] };
}

/** A database that returns these rows to consecutive calls and records their statements. */
export function fakeDatabase(...answers: (readonly unknown[][])[]) {
  const reads: Written[][] = [];
  const writes: { change: AuditedChange; statements: Written[] }[] = [];
  const notes: Written[][] = [];
  const isAsked = (statement: ReadStatement): statement is Statement<unknown[]> => statement !== undefined;
  const rowsOf = <S extends readonly ReadStatement[]>(statements: S): Results<S> => {
    const rows = statements.length === 0 ? [] : (answers.shift() ?? []);
    return statements.map((_, index) => rows[index] ?? []) as unknown as Results<S>;
  };
  const db: Database = {
    read: async (...statements) => {
      reads.push(statements.filter(isAsked).map(written));
      return rowsOf(statements);
    },
    write: async (change, statements, ...selects) => {
      writes.push({ change, statements: statements.map(written) });
      return rowsOf(selects);
    },
    writeGuarded: async (statements, ...selects) => {
      notes.push(statements.map(written));
      return rowsOf(selects);
    },
    writeOnce: async (...statements) => {
      notes.push(statements.map(written));
      return statements.map(() => 0);
    },
    bytes: () => 0,
    assertRoom: () => undefined,
    statementsLeft: () => Number.POSITIVE_INFINITY,
    forEverybody: () => db,
  };
  return { db, reads, writes, notes };
}

/** A namespace whose writes and deletes take effect when `put` and `remove` resolve, and not if they reject. */
export function fakeKv(
  put: (key: string) => Promise<void> = async () => undefined,
  remove: (key: string) => Promise<void> = async () => undefined,
) {
  const values = new Map<string, string>();
  const options: unknown[] = [];
  const kv = {
    get: async (key: string, how: unknown) => {
      options.push(how);
      return values.get(key) ?? null;
    },
    put: async (key: string, value: string, how: unknown) => {
      options.push(how);
      await put(key);
      values.set(key, value);
    },
    delete: async (key: string) => {
      await remove(key);
      values.delete(key);
    },
  } as unknown as KVNamespace;
  return { kv, values, options };
}
