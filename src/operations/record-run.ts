import type { ServiceContext } from "../context";
import { type Cron, upsertRun } from "./cron-statements";

/** Records that no job of a cron has failed. */
export async function recordRun({ db, now }: Pick<ServiceContext, "db" | "now">, cron: Cron): Promise<void> {
  await db.writeGuarded([upsertRun(cron, now())]);
}
