import { decode, verifyWithJwks } from "hono/jwt";
import { email } from "../../access/schema";
import type { Config } from "../../context";
import { unavailable } from "../../errors";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../lib/time";

type Access = NonNullable<Config["access"]>;
type Key = JsonWebKey & { kid: string };

/** A team, as this instance remembers it. Times are 0 for what has not happened. */
interface Team {
  keys: ReadonlyMap<string, Key>;
  /** Start of the last request for its keys, which may still be pending. */
  requestedAt: number;
  /** Time of the last answer. */
  receivedAt: number;
  /** Time of the last failure, if no answer came after it. */
  failedAt: number;
}

const REQUEST_TIMEOUT_MS = 3 * SECOND_MS;
/** Anybody can invent key ids, so an unknown id requests the keys again at most this often. */
const MIN_REQUEST_INTERVAL_MS = MINUTE_MS;
/** While a team does not answer, anybody with an invented token would make an instance ask it and wait. */
const PAUSE_AFTER_FAILURE_MS = 5 * SECOND_MS;
/** A key that the team has withdrawn works until then. */
const CACHE_MS = HOUR_MS;

const UNKNOWN_TEAM: Team = { keys: new Map(), requestedAt: 0, receivedAt: 0, failedAt: 0 };

const teams = new Map<string, Team>();

const isKey = (value: unknown): value is Key =>
  typeof value === "object" && value !== null && "kid" in value && typeof value.kid === "string";

async function readKeys(issuer: string): Promise<Team["keys"]> {
  const response = await fetch(`${issuer}/cdn-cgi/access/certs`, {
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  });
  const body: unknown = response.ok ? await response.json() : undefined;
  const listed = typeof body === "object" && body !== null && "keys" in body ? body.keys : undefined;
  if (!Array.isArray(listed)) throw unavailable();
  return new Map(listed.filter(isKey).map((key) => [key.kid, key]));
}

/** 503 if the keys cannot be fetched. */
async function fetchKeys(issuer: string, now: number): Promise<Team["keys"]> {
  const before = teams.get(issuer) ?? UNKNOWN_TEAM;
  if (before.failedAt > now - PAUSE_AFTER_FAILURE_MS) throw unavailable();
  teams.set(issuer, { ...before, requestedAt: now });
  try {
    const keys = await readKeys(issuer);
    teams.set(issuer, { keys, requestedAt: now, receivedAt: now, failedAt: 0 });
    return keys;
  } catch {
    teams.set(issuer, { ...before, requestedAt: now, failedAt: now });
    throw unavailable();
  }
}

async function findKey(issuer: string, id: string, now: number): Promise<Key | undefined> {
  const { keys, requestedAt, receivedAt } = teams.get(issuer) ?? UNKNOWN_TEAM;
  const key = keys.get(id);
  if (receivedAt === 0) return (await fetchKeys(issuer, now)).get(id);
  if (key !== undefined && receivedAt > now - CACHE_MS) return key;
  if (requestedAt > now - MIN_REQUEST_INTERVAL_MS) {
    // The last request has failed or is still pending, so whether the team has the key is unknown.
    if (key === undefined && requestedAt > receivedAt) throw unavailable();
    return key;
  }
  try {
    return (await fetchKeys(issuer, now)).get(id);
  } catch (error) {
    if (key !== undefined) return key;
    throw error;
  }
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
