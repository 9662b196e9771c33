import { once } from "../lib/once";
import type { Wrangler } from "./cloudflare-resources";
import { messageOf } from "./run";

/** Asks Cloudflare's API: with a body by POST, else by GET. Returns the result. Throws with the API's message, and its code as the cause. */
export type Cloudflare = (path: string, body?: object) => Promise<unknown>;

const API = "https://api.cloudflare.com/client/v4";
const MAX_WAIT_MS = 20_000;
/** Cloudflare's codes for an account without a subdomain of workers.dev or the Worker, and without the database. */
const MISSING: readonly unknown[] = [10007, 10090, 7404];

interface Answer {
  success?: boolean;
  result?: unknown;
  errors?: readonly { message?: string; code?: number }[];
}

/** The headers of the account that wrangler is logged in to. */
async function readCredentials(wrangler: Wrangler): Promise<Record<string, string>> {
  const output = await wrangler(["auth", "token", "--json"]);
  // wrangler may write other lines around it.
  const { token, key, email } = JSON.parse(output.slice(output.indexOf("{"), output.lastIndexOf("}") + 1));
  return token === undefined
    ? { "X-Auth-Key": key, "X-Auth-Email": email }
    : { Authorization: `Bearer ${token}` };
}

export function openCloudflare(
  wrangler: Wrangler,
  { CLOUDFLARE_API_BASE_URL: base = API }: Readonly<Record<string, string | undefined>>,
): Cloudflare {
  const credentials = once(() => readCredentials(wrangler));
  return async (path, body) => {
    const response = await fetch(`${base}${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { ...(await credentials()), "Content-Type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(MAX_WAIT_MS),
    });
    const { success, result, errors } = (await response.json()) as Answer;
    if (success !== true)
      throw new Error(errors?.[0]?.message ?? `status ${response.status}`, { cause: errors?.[0]?.code });
    return result;
  };
}

/** Whether the API says that something does not exist. */
export const isMissing = (error: unknown): boolean => error instanceof Error && MISSING.includes(error.cause);

/** The names of the Workers that have custom domains in the account, by host. */
export async function listOwners(api: Cloudflare, account: string): Promise<Map<string, string>> {
  const domains = (await api(`/accounts/${account}/workers/domains`)) as {
    hostname: string;
    service: string;
  }[];
  return new Map(domains.map(({ hostname, service }) => [hostname, service]));
}

export async function findAccount(api: Cloudflare): Promise<string> {
  const accounts = (await api("/accounts")) as { id: string }[];
  const [only, ...others] = accounts;
  if (only === undefined || others.length > 0)
    throw new Error("there are several accounts, so set CLOUDFLARE_ACCOUNT_ID");
  return only.id;
}

export const inApiWords = (error: unknown): string => `Cloudflare's API says: ${messageOf(error)}`;

/** Returns the address of a Worker on workers.dev. Throws if the account has no subdomain there. */
export async function getWorkersDevAddress(
  api: Cloudflare,
  worker: string,
  account: string,
): Promise<string> {
  try {
    const { subdomain } = (await api(`/accounts/${account}/workers/subdomain`)) as { subdomain: string };
    return `https://${worker}.${subdomain}.workers.dev`;
  } catch (error) {
    const reason = isMissing(error)
      ? `the account has no subdomain there. Choose one at https://dash.cloudflare.com/${account}/workers/onboarding, then deploy again`
      : inApiWords(error);
    throw new Error(`There is no address on workers.dev: ${reason}.`);
  }
}
