import type { Failure } from "./lib/failure";
import { sleep } from "./lib/sleep";

type ErrorBody = { message: string; errors?: Record<string, string[]> };

/** Default log codes by status. Messages are never logged, because they may contain input. */
const CODES = {
  401: "unauthenticated",
  403: "forbidden",
  404: "not_found",
  405: "method_not_allowed",
  409: "still_running",
  412: "changed",
  413: "too_large",
  422: "invalid",
  429: "rate_limited",
  500: "internal",
  503: "unavailable",
} as const;

type Status = keyof typeof CODES;

/** The log codes of refusals, a closed set. */
export type RefusalCode =
  | (typeof CODES)[Status]
  | "access"
  | "creations_off"
  | "daily_limit"
  | "database_full"
  | "form_origin"
  | "link_changed"
  | "no_answer"
  | "overloaded"
  | "passkey"
  | "read_only"
  | "role"
  | "sign_in_link"
  | "signed_out"
  | "suspended"
  | "tag_changed"
  | "unencrypted";
const isStatus = (status: number): status is Status => status in CODES;

/** The default code of a status; null if it is not a refusal. */
export const codeOfStatus = (status: number): RefusalCode | null => (isStatus(status) ? CODES[status] : null);

/** A documented failure, with status, body and headers. Services throw no other error on purpose. */
export class ServiceError extends Error {
  constructor(
    readonly status: Status,
    readonly body: ErrorBody,
    readonly headers: Readonly<Record<string, string>> = {},
    readonly code: RefusalCode = CODES[status],
    readonly failures: readonly Failure[] = [],
    /** What the body adds for a request with `Prefer: handling=strict`. */
    readonly explanation: object = {},
  ) {
    super(body.message);
  }
}

/** A batch failed because of a concurrent change. Read the rules again and retry. */
export class LostRace extends Error {}

/** The form of the request was sent before, and what it changes is changed. */
export class AlreadyDone extends Error {}

/** More than occur on one link or name in practice. Each attempt costs two D1 calls. */
const MAX_ATTEMPTS = 50;
const PAUSE_STEP_MS = 2;

/** Retries `attempt` after each LostRace. Throws 503 after 50 attempts. */
export async function retryLostRaces<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof LostRace)) throw error;
      if (tries === MAX_ATTEMPTS) throw unavailable();
      // A random pause makes another collision less likely.
      await sleep(Math.random() * tries * PAUSE_STEP_MS);
    }
  }
}

export const unauthenticated = () =>
  new ServiceError(401, { message: "Unauthenticated." }, { "WWW-Authenticate": "Bearer" });

export const readOnlyKey = () =>
  new ServiceError(403, { message: "This API key is read-only." }, {}, "read_only");

export const sentUnencrypted = (secret = "API key", remedy = "rotate") =>
  new ServiceError(
    403,
    { message: `Use https. This ${secret} was sent unencrypted: ${remedy} it.` },
    {},
    "unencrypted",
  );

/** Says what was not found, if it is a resource. */
export const notFound = (resource?: string) =>
  new ServiceError(404, { message: resource === undefined ? "Not found." : `${resource} not found.` });

/** For a path of the web application that has no page. */
export const noPage = () => new ServiceError(404, { message: "There is no page at this address." });

/** What was looked for. Throws 404 if it was not found. */
export function assertFound<T>(found: T | undefined, resource: string): T {
  if (found === undefined) throw notFound(resource);
  return found;
}

/** For a valid key of a suspended workspace. */
export const workspaceNotFound = () =>
  new ServiceError(404, { message: "Workspace not found." }, {}, "suspended");

export const methodNotAllowed = (allow: readonly string[]) =>
  new ServiceError(405, { message: "Method not allowed." }, { Allow: allow.join(", ") });

export const idempotencyKeyRunning = () =>
  new ServiceError(
    409,
    { message: "A request with this Idempotency-Key is still running." },
    { "Retry-After": "1" },
  );

export const changedSinceRead = (resource: "link" | "tag") =>
  new ServiceError(
    412,
    { message: `The ${resource} has changed since it was read.` },
    {},
    `${resource}_changed`,
  );

/** Of what a form that was filled in before would overwrite. */
export const changedMeanwhile = (noun: string) =>
  new ServiceError(412, {
    message: `The ${noun} has changed meanwhile, so nothing is saved yet. What you have typed is still here. Save again to replace the ${noun} all the same.`,
  });

export const bodyTooLarge = () => new ServiceError(413, { message: "The request body is too large." });

export const tooManyAttempts = () =>
  new ServiceError(429, { message: "Too Many Attempts." }, { "Retry-After": "60" });
export const serverError = () => new ServiceError(500, { message: "Server Error" });

/** `code` is what the log says, if it is not that D1 cannot be reached. */
export const unavailable = (code?: RefusalCode, retryAfterSeconds = 5) =>
  new ServiceError(
    503,
    { message: "Service temporarily unavailable." },
    { "Retry-After": String(retryAfterSeconds) },
    code,
  );

/** Until the operator has made room. */
export const databaseFull = () => unavailable("database_full", 3600);

/** Until the operator allows them again. */
export const creationsOff = () => unavailable("creations_off", 3600);
