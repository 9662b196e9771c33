import { readFileSync } from "node:fs";
import { waymark } from "../api/client";
import { systemClock } from "../api/clock";
import { toBaseUrl } from "../api/http";
import type { Io } from "./command";
import { looksLikeKey, UsageError } from "./usage-error";

const ONE_LINE = /^\s*(\S+)\s*$/;

function setting({ env }: Io, name: string): string | undefined {
  const value = env[name]?.trim();
  // CI systems set a secret that is not there to an empty text.
  return value === "" ? undefined : value;
}

/** A key that somebody took for a path must not be shown. */
const shownPath = (path: string): string => (looksLikeKey(path) ? "The file" : path);

function readKey(path: string): string {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
    throw new UsageError(`WAYMARK_KEY_FILE: ${shownPath(path)} cannot be read (${reason}).`);
  }
  const [, key] = ONE_LINE.exec(text) ?? [];
  if (key === undefined)
    throw new UsageError(`WAYMARK_KEY_FILE: ${shownPath(path)} must hold an API key and nothing else.`);
  return key;
}

function keyOf(io: Io): string {
  const key = setting(io, "WAYMARK_KEY");
  if (key !== undefined) return key;
  const path = setting(io, "WAYMARK_KEY_FILE");
  if (path !== undefined) return readKey(path);
  throw new UsageError(
    "The API key is missing. Set WAYMARK_KEY to it, or WAYMARK_KEY_FILE to a file that holds it.",
  );
}

const LOCAL_WITHOUT_SCHEME = /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?=[:/]|$)/i;

/** Runs what checks a setting. Its errors name the setting. */
function checked<Result>(name: string, check: () => Result): Result {
  try {
    return check();
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(`${name}: ${error.message}`);
    throw error;
  }
}

/** A client with the settings of the environment. */
export function connect(io: Io) {
  const url = setting(io, "WAYMARK_URL");
  if (url === undefined) {
    throw new UsageError("WAYMARK_URL is missing. Set it to the address of the service.");
  }
  if (LOCAL_WITHOUT_SCHEME.test(url)) {
    throw new UsageError("WAYMARK_URL: http:// is missing before the address.");
  }
  const address = checked("WAYMARK_URL", () => toBaseUrl(url));
  const key = keyOf(io);
  const options = { url, key, ...(io.fetch === undefined ? {} : { fetch: io.fetch }) };
  const client = checked("WAYMARK_KEY", () => waymark(options, io.clock ?? systemClock));
  return { client, url: address };
}
