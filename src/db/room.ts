import { databaseFull } from "../errors";
import type { Database } from "./client";

/** Above this part of its size what creates is refused, so that there is room for changes. */
const NEARLY_FULL = 0.95;
const CREATES = /\.(?:create|import|add|invite|rotate)$/;
/** Above this one every change but these is refused, so that there is room for them. People sign in to delete. */
const FULL = 0.995;
const FREES =
  /\.(?:delete|remove|release|revoke|end|end_session|sign_in|sign_out|suspend|takedown|taken_down|drop_slug)$/;

/** A database that refuses to create with 503 once it is nearly full. `maxBytes` is the size that the plan allows. */
export function withRoom(db: Database, maxBytes: number): Database {
  const assertBelow = (part: number) => {
    if (db.bytes() >= part * maxBytes) throw databaseFull();
  };
  const assertRoom = () => assertBelow(NEARLY_FULL);
  return {
    ...db,
    assertRoom,
    async write(change, statements, ...reads) {
      if (CREATES.test(change.action)) assertRoom();
      if (!FREES.test(change.action)) assertBelow(FULL);
      return db.write(change, statements, ...reads);
    },
  };
}
