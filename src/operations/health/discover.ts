import type { ServiceContext } from "../../context";
import { destinationHost, parseDestination } from "../../lib/destination";
import { insertDestinations, selectMissing } from "./repository";
import { domainOf } from "./requests";

/** Links that a run looks at. */
const CHUNK = 500;

/** Queues the destinations of the next chunk of links that are not queued yet. Returns how many. */
export async function discover({ db, now }: Pick<ServiceContext, "db" | "now">): Promise<number> {
  const at = now();
  const [missing] = await db.read(selectMissing(at, CHUNK));
  const found = missing
    .filter(({ url }) => parseDestination(url) !== undefined)
    .map((one) => {
      const host = destinationHost(one.url);
      return { ...one, host, domain: domainOf(host) };
    });
  if (found.length > 0) await db.writeUnaudited(...insertDestinations(found, at));
  return new Set(found.map(({ url }) => url)).size;
}
