import type { Database, ReadStatement, Results, Statement } from "../db/client";

/**
 * A database that authorizes the request with its first call, which saves a round trip. The results of a read are returned
 * after `authorize`, and nothing is written before. It throws if it refuses what `statement` reads of the sender, and after a
 * refusal every call throws it. `assertAuthorized` authorizes now if no call has done so yet.
 */
export function deferAuthorization<Row>(
  db: Database,
  { statement, authorize }: { statement: Statement<Row[]>; authorize: (rows: Row[]) => Promise<void> },
): { db: Database; assertAuthorized: () => Promise<void> } {
  /** Pending or settled; undefined before the first call, and after a call that failed in D1. */
  let authorized: Promise<void> | undefined;

  async function read<R extends readonly ReadStatement[]>(...reads: R): Promise<Results<R>> {
    if (authorized !== undefined) {
      await authorized;
      return db.read(...reads);
    }
    const sent = db.read(statement, ...reads);
    authorized = sent.then(([rows]) => authorize(rows));
    // The caller of the first read gets its error. Without later calls nobody awaits this promise.
    authorized.catch(() => undefined);
    sent.catch(() => {
      authorized = undefined;
    });
    const [[, ...results]] = await Promise.all([sent, authorized]);
    return results as Results<R>;
  }

  async function assertAuthorized(): Promise<void> {
    await (authorized ?? read());
  }

  return {
    assertAuthorized,
    db: {
      ...db,
      read,
      async write(change, writes, ...reads) {
        await assertAuthorized();
        return db.write(change, writes, ...reads);
      },
      async writeGuarded(writes, ...reads) {
        await assertAuthorized();
        return db.writeGuarded(writes, ...reads);
      },
      async writeOnce(...writes) {
        await assertAuthorized();
        return db.writeOnce(...writes);
      },
    },
  };
}
