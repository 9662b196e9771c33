import createClient, { type Client } from "openapi-fetch";
import type { paths } from "../generated/api";
import { WaymarkError } from "./error";
import { parseUrl } from "./host";
import { createSend } from "./send";
import type { WaymarkOptions, WriteOptions } from "./wire-types";

export type Http = Client<paths>;

export const LOCAL_HOSTS = /^(?:localhost|127(?:\.\d+){3}|\[::1\]|.*\.localhost)$/;
const VISIBLE_ASCII = /^[\x21-\x7e]+$/;

/** The base URL of all paths. An address that ends in `/api/v1` is accepted too. */
export function toBaseUrl(text: string): string {
  const url = parseUrl(text);
  if (url === undefined) throw new TypeError("The url must be the address of the service.");
  const { protocol, hostname, origin, pathname } = url;
  if (protocol !== "https:" && !(protocol === "http:" && LOCAL_HOSTS.test(hostname))) {
    throw new TypeError("The url must begin with https://, so that nobody can read the key on its way.");
  }
  return origin + pathname.replace(/\/(?:api\/v1\/?)?$/, "");
}

/** Checked here, because the error that `Headers` throws contains the key. */
function toAuthorization(key: string): string {
  const trimmed = key.trim();
  if (!VISIBLE_ASCII.test(trimmed)) throw new TypeError("The key must be an API key of the workspace.");
  return `Bearer ${trimmed}`;
}

/** The typed operations of the API. Each resolves to a 2xx response or throws a `WaymarkError`. */
export function createHttp(options: WaymarkOptions): Http {
  const { url, key, fetch: fetchNow = (...request) => fetch(...request), onWait } = options;
  return createClient<paths>({
    baseUrl: toBaseUrl(url),
    fetch: createSend(fetchNow, onWait),
    headers: { Accept: "application/json", Authorization: toAuthorization(key), Prefer: "handling=strict" },
  });
}

export function bodyOf<Data>({ data, response }: { data?: Data; response: Response }): Data {
  if (data !== undefined) return data;
  throw new WaymarkError("The response of the service had no body.", { status: response.status });
}

export const ifMatch = ({ ifMatch: etag }: WriteOptions = {}): { "If-Match"?: string } =>
  etag === undefined ? {} : { "If-Match": etag };

/** Runs a write. A refusal is no failure if `findDone` finds that all is as asked, by an earlier try or somebody else. */
export async function orDone<Result>(
  write: () => Promise<Result>,
  findDone: (refusal: WaymarkError) => Promise<Result | undefined>,
): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    const done = error instanceof WaymarkError ? await findDone(error) : undefined;
    if (done === undefined) throw error;
    return done;
  }
}
