import type { Context } from "hono";
import { ServiceError, sentUnencrypted, tooManyAttempts } from "../errors";
import { encryptedUrl } from "./host";
import { addressOf, countOne, isRefused } from "./rate-limits";
import type { TracedEnv } from "./trace";

const BEARER = /^Bearer +(\S+)\s*$/i;

const digest = (text: string): Promise<ArrayBuffer> =>
  crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));

/** Takes the same time wherever the texts differ. */
const isSame = async (one: string, other: string): Promise<boolean> =>
  crypto.subtle.timingSafeEqual(await digest(one), await digest(other));

const wrongToken = () =>
  new ServiceError(
    401,
    {
      message:
        "This is not HEALTH_TOKEN. Send it as a bearer token, or no Authorization for the public part.",
    },
    { "WWW-Authenticate": "Bearer" },
  );

/** Whether the request has the operator's token. Throws if it has another one. Without `HEALTH_TOKEN` all of them are ignored. */
export async function hasHealthToken({ env, req }: Context<TracedEnv>): Promise<boolean> {
  const expected = env.HEALTH_TOKEN?.trim();
  const authorization = req.header("authorization");
  if (!expected || authorization === undefined) return false;
  if (encryptedUrl(req.url, env) !== undefined) throw sentUnencrypted("token", "replace");
  const address = addressOf(req.raw);
  if (isRefused(env, "AUTH_FAILURE_RATE", address)) throw tooManyAttempts();
  if (await isSame(BEARER.exec(authorization)?.[1] ?? "", expected)) return true;
  throw (await countOne(env, "AUTH_FAILURE_RATE", address)) ? wrongToken() : tooManyAttempts();
}
