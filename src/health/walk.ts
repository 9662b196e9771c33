import type { ServiceContext } from "../context";
import { destinationHost } from "../lib/destination";
import { HOUR_MS } from "../lib/time";
import {
  insertDestinations,
  type NewDestination,
  queueHosts,
  selectAssetsAfter,
  selectDestinationsAfter,
  selectPositions,
  upsertLiveDestinations,
  upsertPositions,
} from "./walk-repository";

/** Destinations and assets that a run walks past. */
const MAX_STEPS = 200;
/** The pause between two walks. */
const REST_MS = HOUR_MS;
const LINKS = "health.links";
const ASSETS = "health.assets";

/** Where a walk goes on, or until when it rests. */
type Place = { after: string } | { rests_until: number };

const START: Place = { after: "" };

function toPlace(text: string | undefined): Place {
  return text === undefined ? START : (JSON.parse(text) as Place);
}

/** Where the walk goes on now; undefined while it rests. */
function nextStep(place: Place, now: number): string | undefined {
  if ("after" in place) return place.after;
  return place.rests_until <= now ? "" : undefined;
}

/** The place after a portion. A short portion is the last. */
const placeAfter = (last: string | undefined, steps: number, now: number): Place =>
  last === undefined || steps < MAX_STEPS ? { rests_until: now + REST_MS } : { after: last };

/** Leaves out what does not parse, which the rules of earlier releases may have let pass. */
function toDestination(url: string): NewDestination[] {
  try {
    return [{ url, host: destinationHost(url) }];
  } catch {
    return [];
  }
}

const toDestinations = (urls: readonly string[]): NewDestination[] =>
  [...new Set(urls)].flatMap(toDestination);

/**
 * Walks past a portion of all destinations, and of all assets, and adds the ones that are not asked yet. Takes seven
 * queries, one while both walks rest.
 */
export async function findDestinations({ db, now }: Pick<ServiceContext, "db" | "now">): Promise<number> {
  const at = now();
  const [positions] = await db.read(selectPositions([LINKS, ASSETS]));
  const [afterUrl, afterAsset] = [LINKS, ASSETS].map((job) =>
    nextStep(toPlace(positions.find((one) => one.job === job)?.position), at),
  );
  if (afterUrl === undefined && afterAsset === undefined) return 0;
  const [found, assets] = await db.read(
    afterUrl === undefined ? undefined : selectDestinationsAfter(afterUrl, MAX_STEPS),
    afterAsset === undefined ? undefined : selectAssetsAfter(Number(afterAsset), MAX_STEPS),
  );
  const added = toDestinations(found.flatMap(({ url, is_missing }) => (is_missing === 1 ? [url] : [])));
  const live = toDestinations(
    assets.flatMap(({ url, is_missing }) => (url !== null && is_missing === 1 ? [url] : [])),
  );
  const urls = [...added, ...live].map(({ url }) => url);
  await db.writeUnaudited(
    ...(added.length === 0 ? [] : [insertDestinations(added, at)]),
    ...(live.length === 0 ? [] : [upsertLiveDestinations(live, at)]),
    ...(urls.length === 0 ? [] : [queueHosts(urls)]),
    upsertPositions([
      ...(afterUrl === undefined
        ? []
        : [{ job: LINKS, position: JSON.stringify(placeAfter(found.at(-1)?.url, found.length, at)) }]),
      ...(afterAsset === undefined
        ? []
        : [
            {
              job: ASSETS,
              position: JSON.stringify(placeAfter(assets.at(-1)?.id.toString(), assets.length, at)),
            },
          ]),
    ]),
  );
  return urls.length;
}
