import type { ServiceContext } from "../../context";
import { destinationHost } from "../../lib/destination";
import { DAY_MS } from "../../lib/time";
import { insertDestinations, updateHealth } from "./repository";
import { domainOf } from "./requests";

/** For the demo: stores that a destination has answered with an error for some days. It is due again in a week. */
export async function recordBroken(
  { db, now }: Pick<ServiceContext, "db" | "now">,
  url: string,
  { status, since }: { status: number; since: number },
): Promise<void> {
  const at = now();
  const host = destinationHost(url);
  const failure = { state: "broken", reason: "http", http_status: status, failures: 3 } as const;
  await db.writeUnaudited(
    ...insertDestinations([{ url, host, domain: domainOf(host) }], at),
    updateHealth([{ ...failure, url, due_at: at + 7 * DAY_MS, asked_at: at, failing_since: since }]),
  );
}
