import { databaseFull } from "../errors";
import type { Database } from "./client";

/** Above this part of its size only what creates is refused, so that there is room for changes and deletions. */
const NEARLY_FULL = 0.95;
const CREATES = /\.(?:create|import|add|invite|rotate)$/;

/** A database that refuses to create with 503 once it is nearly full. `maxBytes` is the size that the plan allows. */
export function withRoom(db: Database, maxBytes: number): Database {
  const assertRoom = () => {
    if (db.bytes() >= NEARLY_FULL * maxBytes) throw databaseFull();
  };
  return {
    ...db,
    assertRoom,
    async write(change, statements, ...reads) {
      if (CREATES.test(change.action)) assertRoom();
      return db.write(change, statements, ...reads);
    },
  };
}
