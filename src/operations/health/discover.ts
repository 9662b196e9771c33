import type { ServiceContext } from "../../context";
import { destinationHost, parseDestination } from "../../lib/destination";
import { insertDestinations, type NewDestination, selectMissing } from "./repository";
import { domainOf } from "./throttle";

/** Links that a run looks at. */
const CHUNK = 500;

/** Queues the destinations of the next chunk of links that are not queued yet. Returns how many. */
export async function discover({ db, now }: Pick<ServiceContext, "db" | "now">): Promise<number> {
  const at = now();
  const [missing] = await db.read(selectMissing(at, CHUNK));
  const domains = new Set<string>();
  const found: NewDestination[] = [];
  for (const { url, live } of missing) {
    if (parseDestination(url) === undefined) continue;
    const domain = domainOf(destinationHost(url));
    found.push({ url, live, domain, is_first: domains.has(domain) ? 0 : 1 });
    domains.add(domain);
  }
  if (found.length > 0) await db.writeUnaudited(insertDestinations(found, at));
  return found.length;
}
