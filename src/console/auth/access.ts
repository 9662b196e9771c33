import { decode, verifyWithJwks } from "hono/jwt";
import type { Config } from "../../context";
import { unavailable } from "../../errors";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../lib/time";
import { email } from "../../workspaces/schema";

type Access = NonNullable<Config["access"]>;
type Key = JsonWebKey & { kid: string };

/** What an instance knows of the keys of a team. */
interface Keys {
  byId: ReadonlyMap<string, Key>;
  /** When they were last asked for; an answer may still be awaited. */
  askedAt: number;
  /** When they last came; undefined where they never have. */
  heldSince: number | undefined;
}

const BUDGET_MS = 3 * SECOND_MS;
/** How often an id that is not known has the keys asked for again: anybody can make such ids up. */
const ASKED_EVERY_MS = MINUTE_MS;
/** After that, keys that the team has given up are forgotten. */
const HELD_MS = HOUR_MS;

const held = new Map<string, Keys>();

const isKey = (value: unknown): value is Key =>
  typeof value === "object" && value !== null && "kid" in value && typeof value.kid === "string";

/** The keys that the team signs with now; 503 where they do not come. */
async function askForKeys(issuer: string, now: number): Promise<Keys> {
  const before = held.get(issuer);
  held.set(issuer, { byId: new Map(), heldSince: undefined, ...before, askedAt: now });
  try {
    const response = await fetch(`${issuer}/cdn-cgi/access/certs`, {
      signal: AbortSignal.timeout(BUDGET_MS),
    });
    const body: unknown = response.ok ? await response.json() : undefined;
    const listed: unknown =
      typeof body === "object" && body !== null && "keys" in body ? body.keys : undefined;
    if (!Array.isArray(listed)) throw unavailable();
    const byId = new Map(listed.filter(isKey).map((key) => [key.kid, key]));
    const keys = { byId, askedAt: now, heldSince: now };
    held.set(issuer, keys);
    return keys;
  } catch {
    throw unavailable();
  }
}

/** The key with this id, if the team has it: out of memory, and asked for where it is not there. */
async function keyOf(issuer: string, id: string, now: number): Promise<Key | undefined> {
  const known = held.get(issuer);
  const key = known?.byId.get(id);
  if (known?.heldSince === undefined) return (await askForKeys(issuer, now)).byId.get(id);
  if (key !== undefined && known.heldSince > now - HELD_MS) return key;
  if (known.askedAt > now - ASKED_EVERY_MS) {
    // Asked for, by this request or one beside it, without an answer so far.
    if (key === undefined && known.askedAt > known.heldSince) throw unavailable();
    return key;
  }
  try {
    return (await askForKeys(issuer, now)).byId.get(id);
  } catch (error) {
    if (key !== undefined) return key;
    throw error;
  }
}

/**
 * The e-mail address, in lower case, that a token of Cloudflare Access stands for; undefined where the token is not for
 * this application, by this team and of this moment. 503 where the team's keys cannot be had.
 */
export async function emailOfAccess(
  token: string | undefined,
  { issuer, audience }: Access,
  now: number,
): Promise<string | undefined> {
  const id = keyIdOf(token);
  if (token === undefined || id === undefined) return undefined;
  const key = await keyOf(issuer, id, now);
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

function keyIdOf(token: string | undefined): string | undefined {
  try {
    const { alg, kid } = decode(token ?? "").header;
    return alg === "RS256" && typeof kid === "string" ? kid : undefined;
  } catch {
    return undefined;
  }
}
