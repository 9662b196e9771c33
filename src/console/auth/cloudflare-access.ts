import { decode, verifyWithJwks } from "hono/jwt";
import { email } from "../../access/schema";
import type { Config } from "../../context";
import { unavailable } from "../../errors";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../lib/time";

type Access = NonNullable<Config["access"]>;
type Key = JsonWebKey & { kid: string };

/** The signing keys of a team, as this instance remembers them. */
interface CachedKeys {
  byId: ReadonlyMap<string, Key>;
  /** Start of the last request for them, which may still be pending. */
  requestedAt: number;
  /** Time of the last answer; undefined before the first. */
  receivedAt: number | undefined;
  /** Time of the last failure, if no answer came after it. */
  failedAt?: number;
}

const REQUEST_TIMEOUT_MS = 3 * SECOND_MS;
/** Anybody can invent key ids, so an unknown id requests the keys again at most this often. */
const MIN_REQUEST_INTERVAL_MS = MINUTE_MS;
/** While a team does not answer, anybody with an invented token would make an instance ask it and wait. */
const PAUSE_AFTER_FAILURE_MS = 5 * SECOND_MS;
/** A key that the team has withdrawn works until then. */
const CACHE_MS = HOUR_MS;

const cachedKeys = new Map<string, CachedKeys>();

const isKey = (value: unknown): value is Key =>
  typeof value === "object" && value !== null && "kid" in value && typeof value.kid === "string";

/** 503 if the keys cannot be fetched. */
async function fetchKeys(issuer: string, now: number): Promise<CachedKeys> {
  const before = cachedKeys.get(issuer);
  if (before?.failedAt !== undefined && before.failedAt > now - PAUSE_AFTER_FAILURE_MS) throw unavailable();
  cachedKeys.set(issuer, { byId: new Map(), receivedAt: undefined, ...before, requestedAt: now });
  try {
    const response = await fetch(`${issuer}/cdn-cgi/access/certs`, {
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    const body: unknown = response.ok ? await response.json() : undefined;
    const listed: unknown =
      typeof body === "object" && body !== null && "keys" in body ? body.keys : undefined;
    if (!Array.isArray(listed)) throw unavailable();
    const byId = new Map(listed.filter(isKey).map((key) => [key.kid, key]));
    const keys = { byId, requestedAt: now, receivedAt: now };
    cachedKeys.set(issuer, keys);
    return keys;
  } catch {
    cachedKeys.set(issuer, {
      byId: new Map(),
      receivedAt: undefined,
      ...before,
      requestedAt: now,
      failedAt: now,
    });
    throw unavailable();
  }
}

async function findKey(issuer: string, id: string, now: number): Promise<Key | undefined> {
  const cached = cachedKeys.get(issuer);
  const key = cached?.byId.get(id);
  if (cached?.receivedAt === undefined) return (await fetchKeys(issuer, now)).byId.get(id);
  if (key !== undefined && cached.receivedAt > now - CACHE_MS) return key;
  if (cached.requestedAt > now - MIN_REQUEST_INTERVAL_MS) {
    // The last request has failed or is still pending, so whether the team has the key is unknown.
    if (key === undefined && cached.requestedAt > cached.receivedAt) throw unavailable();
    return key;
  }
  try {
    return (await fetchKeys(issuer, now)).byId.get(id);
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
