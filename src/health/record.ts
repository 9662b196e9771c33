import type { ServiceContext } from "../context";
import { destinationHost } from "../lib/destination";
import { DAY_MS } from "../lib/time";
import { updateHealth } from "./repository";
import { insertDestinations, queueHosts } from "./walk-repository";

/** Stores that a destination has answered with an error for some days. It is due again in a week. */
export async function recordBroken(
  { db, now }: Pick<ServiceContext, "db" | "now">,
  url: string,
  { status, since }: { status: number; since: number },
): Promise<void> {
  const at = now();
  await db.writeUnaudited(
    insertDestinations([{ url, host: destinationHost(url) }], at + 7 * DAY_MS),
    updateHealth([
      {
        url,
        live: 0,
        due_at: at + 7 * DAY_MS,
        asked_at: at,
        state: "broken",
        reason: "http",
        http_status: status,
        failing_since: since,
      },
    ]),
    queueHosts([url]),
  );
}
