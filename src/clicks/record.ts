import type { Env } from "../context";

// A visit leaves a few words in the instance's memory and goes on; they are counted and written later, in packs.

const PACK_SECONDS = 5;
/** What an instance gathers at most between two packs; beyond it, visits go on and are not counted. */
const MOST_VISITS = 20_000;

/** What is known of a visit when it is counted. None of it is kept but the counts. */
export interface Visit {
  link: string;
  at: number;
  /** A GET that is no prefetch: a person's, if the user agent is. */
  follows: boolean;
  agent: string | null;
  referrer: string | null;
  country: string | undefined;
}

/** What one instance has gathered, kept beside its D1 binding. */
export interface Gathering {
  visits: Visit[];
  /** Packs whose writing failed; they are tried again with the next. */
  unwritten: object[];
  isScheduled: boolean;
}

const gatherings = new WeakMap<D1Database, Gathering>();

function gatheringOf(db: D1Database): Gathering {
  const known = gatherings.get(db);
  if (known !== undefined) return known;
  const fresh: Gathering = { visits: [], unwritten: [], isScheduled: false };
  gatherings.set(db, fresh);
  return fresh;
}

/** Notes a visit of a link, and sees to it that a pack is written soon; never in the visitor's way. */
export function recordVisit(
  request: Request,
  link: string,
  now: number,
  env: Env,
  execution: Pick<ExecutionContext, "waitUntil">,
): void {
  const seconds = Number(env.CLICK_PACK_SECONDS || PACK_SECONDS);
  if (!(seconds > 0)) return;
  const gathering = gatheringOf(env.DB);
  if (gathering.visits.length >= MOST_VISITS) return;
  const { headers } = request;
  const purpose = headers.get("sec-purpose");
  gathering.visits.push({
    link,
    at: now,
    follows: request.method === "GET" && (purpose === null || !purpose.includes("prefetch")),
    agent: headers.get("user-agent"),
    referrer: headers.get("referer"),
    country: request.cf?.country as string | undefined,
  });
  if (gathering.isScheduled) return;
  gathering.isScheduled = true;
  execution.waitUntil(writeAfter(seconds * 1000, gathering, env.DB));
}

async function writeAfter(ms: number, gathering: Gathering, db: D1Database): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
  gathering.isScheduled = false;
  const { writePacks } = await import("./pack");
  await writePacks(gathering, db);
}
