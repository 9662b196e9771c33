import type { Wrangler } from "./resources";

/** Asks Cloudflare's API: with a body by POST, else by GET. Returns the result. Throws with the API's message, and its code as the cause. */
export type Cloudflare = (path: string, body?: object) => Promise<unknown>;

const API = "https://api.cloudflare.com/client/v4";
const MAX_WAIT_MS = 20_000;

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
  let credentials: Promise<Record<string, string>> | undefined;
  return async (path, body) => {
    credentials ??= readCredentials(wrangler);
    const response = await fetch(`${base}${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { ...(await credentials), "Content-Type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(MAX_WAIT_MS),
    });
    const { success, result, errors } = (await response.json()) as Answer;
    if (success !== true)
      throw new Error(errors?.[0]?.message ?? `status ${response.status}`, { cause: errors?.[0]?.code });
    return result;
  };
}
