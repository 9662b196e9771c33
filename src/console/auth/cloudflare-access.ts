import { decode, verifyWithJwks } from "hono/jwt";
import { email } from "../../access/access-schema";
import type { Config } from "../../context";
import { unavailable } from "../../errors";
import { isObject } from "../../lib/json";
import { sleep } from "../../lib/sleep";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../lib/time";
import { askForJson } from "../../resources/destinations/outside";

type Access = NonNullable<Config["access"]>;
type Key = JsonWebKey & { kid: string };

/** A team, as this instance remembers it. Times are 0 for what has not happened. */
interface Team {
  keys: ReadonlyMap<string, Key>;
  receivedAt: number;
  /** Start of the last request, which may have failed or be pending. Before the first answer, only of one that failed. */
  requestedAt: number;
  isPending: boolean;
}

const REQUEST_TIMEOUT_MS = 3 * SECOND_MS;
const MAX_ANSWER_BYTES = 64 * 1024;
/** Anybody can invent key ids, so an unknown id requests the keys again at most this often. */
const MIN_REQUEST_INTERVAL_MS = MINUTE_MS;
/** While a team does not answer, anybody with an invented token would make an instance ask it and wait. */
const PAUSE_AFTER_FAILURE_MS = 5 * SECOND_MS;
/** A key is asked for again after this time, so that an outage of the team's keys shorter than the rest of the hour refuses nobody. */
const FRESH_MS = 30 * MINUTE_MS;
/** A key that the team has withdrawn works until then at most, also if the team does not answer. */
const CACHE_MS = HOUR_MS;

const UNKNOWN_TEAM: Team = { keys: new Map(), receivedAt: 0, requestedAt: 0, isPending: false };
const PAUSE_MS = 20;

const teams = new Map<string, Team>();

/** An RSA key by its id. A team may have others, which sign no token of its members. */
const isKey = (value: unknown): value is Key =>
  isObject(value) &&
  value["kty"] === "RSA" &&
  ["kid", "n", "e"].every((name) => typeof value[name] === "string");

async function readKeys(issuer: string): Promise<Team["keys"]> {
  const body = await askForJson(`${issuer}/cdn-cgi/access/certs`, {
    maxMs: REQUEST_TIMEOUT_MS,
    maxBytes: MAX_ANSWER_BYTES,
  });
  const listed: unknown = isObject(body) ? body["keys"] : undefined;
  const keys = Array.isArray(listed) ? listed.filter(isKey) : [];
  // A team always has a key, so an answer without one is a failure and signs nobody out.
  if (keys.length === 0) throw unavailable();
  return new Map(keys.map((key) => [key.kid, key]));
}

/** Waits for the answer that another request has asked for. That request may be cancelled, so the wait ends. */
async function waitForAnswer(issuer: string): Promise<void> {
  for (let waited = 0; waited < REQUEST_TIMEOUT_MS && teams.get(issuer)?.isPending; waited += PAUSE_MS)
    await sleep(PAUSE_MS);
}

/** 503 if the team does not answer, so that it is unknown whether it has the key. */
async function findKey(issuer: string, id: string, now: number): Promise<Key | undefined> {
  const team = teams.get(issuer) ?? UNKNOWN_TEAM;
  const { receivedAt, requestedAt } = team;
  const key = receivedAt > now - CACHE_MS ? team.keys.get(id) : undefined;
  if (key !== undefined && receivedAt > now - FRESH_MS) return key;
  const pause = receivedAt === 0 ? PAUSE_AFTER_FAILURE_MS : MIN_REQUEST_INTERVAL_MS;
  const isDue = requestedAt <= now - pause;
  if (isDue) {
    if (receivedAt > 0) teams.set(issuer, { ...team, requestedAt: now, isPending: true });
    try {
      const keys = await readKeys(issuer);
      teams.set(issuer, { keys, receivedAt: now, requestedAt: now, isPending: false });
      return keys.get(id);
    } catch {
      teams.set(issuer, { ...(teams.get(issuer) ?? UNKNOWN_TEAM), requestedAt: now, isPending: false });
    }
  } else if (key === undefined && team.isPending) {
    await waitForAnswer(issuer);
    const { keys, receivedAt: answeredAt } = teams.get(issuer) ?? team;
    if (answeredAt > receivedAt) return keys.get(id);
  }
  if (key === undefined && (isDue || requestedAt > receivedAt)) throw unavailable();
  return key;
}

/**
 * The e-mail address in a token of Cloudflare Access, in lower case. Undefined if the token is not valid now, for this
 * application and from this team. 503 if the team's keys cannot be fetched.
 */
export async function emailOfAccessToken(
  token: string,
  { issuer, audience }: Access,
  now: number,
): Promise<string | undefined> {
  const id = readKeyId(token);
  if (id === undefined) return undefined;
  const key = await findKey(issuer, id, now);
  if (key === undefined) return undefined;
  try {
    const payload = await verifyWithJwks(token, {
      keys: [key],
      allowedAlgorithms: ["RS256"],
      verification: { iss: issuer, aud: audience, exp: true, nbf: true },
    });
    if (typeof payload.exp !== "number") return undefined;
    return email().safeParse(payload["email"]).data;
  } catch {
    return undefined;
  }
}

function readKeyId(token: string): string | undefined {
  try {
    const { alg, kid } = decode(token).header;
    return alg === "RS256" && typeof kid === "string" ? kid : undefined;
  } catch {
    return undefined;
  }
}
