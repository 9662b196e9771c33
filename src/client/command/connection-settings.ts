import { isUtf8 } from "node:buffer";
import { readFileSync } from "node:fs";
import { waymark } from "../api/client";
import { parseUrl } from "../api/host";
import { toBaseUrl } from "../api/http";
import { readReport, toReportUrl } from "../api/report";
import type { Report, WaymarkOptions } from "../api/wire-types";
import { Refusal } from "../exit";
import type { Context, Io } from "./command-type";

const ONE_LINE = /^\s*(\S+)\s*$/;
const LOCAL_WITHOUT_SCHEME = /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?=[:/]|$)/i;

function readBytes(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT") throw new Refusal(`There is no file ${path}.`);
    throw new Refusal(`${path} cannot be read (${String(code)}).`);
  }
}

/** The text of a file in UTF-8, with or without a byte order mark. Another file would be read as wrong letters. */
export function readText(path: string): string {
  const bytes = readBytes(path);
  // Text in UTF-16 has a zero byte beside every Latin letter.
  const hasZero = bytes.includes(0);
  if (isUtf8(bytes) && !hasZero) return new TextDecoder().decode(bytes);
  throw new Refusal(
    `${path} is not in UTF-8${hasZero ? " but, it seems, in UTF-16" : ""}. Save it as UTF-8.`,
  );
}

function readKey(path: string): string {
  const [, key] = ONE_LINE.exec(readText(path)) ?? [];
  if (key === undefined) throw new Refusal(`${path} must hold an API key and nothing else.`);
  return key;
}

/** Runs what checks a setting. Its errors name the setting. */
function checked<Result>(name: string, check: () => Result): Result {
  try {
    return check();
  } catch (error) {
    const isWrong = error instanceof TypeError || error instanceof Refusal;
    throw isWrong ? new Refusal(`${name}: ${error.message}`) : error;
  }
}

/** As curl reads it: without a scheme it is http. */
function toProxyUrl(text: string): string {
  const url = parseUrl(/^\w+:\/\//.test(text) ? text : `http://${text}`);
  if (url !== undefined && /^https?:$/.test(url.protocol)) return url.href;
  throw new Refusal("HTTPS_PROXY must be the address of a proxy, such as http://proxy.example:3128.");
}

/** NO_PROXY is read by the library. Node's own `fetch` only knows a proxy if NODE_USE_ENV_PROXY is set when it starts, and not in every version. */
function throughProxy(httpsProxy: string): typeof fetch {
  // Most commands start faster without the library.
  const loading = import("undici").then(({ EnvHttpProxyAgent, fetch: fetchNow }) => {
    const dispatcher = new EnvHttpProxyAgent({ httpProxy: "", httpsProxy });
    return (url: string, init: object): Promise<unknown> => fetchNow(url, { ...init, dispatcher });
  });
  return async (url, init = {}) => (await loading)(String(url), init) as Promise<Response>;
}

// CI systems set a secret that is not there to an empty text.
const setting = ({ env }: Io, name: string): string | undefined => env[name]?.trim() || undefined;

/** What asks a service, through the proxy of the environment. */
function fetchFor(io: Io, address: string): typeof fetch {
  const isSecure = address.startsWith("https:");
  const proxy = isSecure ? (setting(io, "HTTPS_PROXY") ?? setting(io, "https_proxy")) : undefined;
  return io.fetch ?? (proxy === undefined ? fetch : throughProxy(toProxyUrl(proxy)));
}

/** The report with an address. It needs no settings, and no key is sent. */
export function reportAt(io: Io, onWait: WaymarkOptions["onWait"], address: string): Promise<Report> {
  const url = checked("URL", () => toReportUrl(address));
  return readReport(url, { fetch: fetchFor(io, url), onWait });
}

/** Whether a setting of a service is there. Without any, only reports can be read. */
export const hasSettings = (io: Io): boolean =>
  ["WAYMARK_URL", "WAYMARK_KEY", "WAYMARK_KEY_FILE"].some((name) => setting(io, name) !== undefined);

export function connect(io: Io, onWait: WaymarkOptions["onWait"]): ReturnType<Context["connect"]> {
  const url = setting(io, "WAYMARK_URL");
  if (url === undefined) throw new Refusal("WAYMARK_URL is missing. Set it to the address of the service.");
  if (LOCAL_WITHOUT_SCHEME.test(url)) {
    throw new Refusal("WAYMARK_URL: http:// is missing before the address.");
  }
  const address = checked("WAYMARK_URL", () => toBaseUrl(url));
  const path = setting(io, "WAYMARK_KEY_FILE");
  const key =
    setting(io, "WAYMARK_KEY") ??
    (path === undefined ? undefined : checked("WAYMARK_KEY_FILE", () => readKey(path)));
  if (key === undefined) {
    throw new Refusal(
      "The API key is missing. Set WAYMARK_KEY to it, or WAYMARK_KEY_FILE to a file that holds it.",
    );
  }
  const fetchNow = fetchFor(io, address);
  const client = checked("WAYMARK_KEY", () => waymark({ url, key, fetch: fetchNow, onWait }));
  return { client, url: address };
}
