import type { Database } from "./db/client";
import type { EntityTags } from "./lib/etag";

/** The Worker's bindings and variables, as wrangler.toml names them. */
export interface Env {
  DB: D1Database;
  KV: KVNamespace;
  /** The files of `src/public`, and of the packages that its pages load. */
  ASSETS?: Fetcher;
  KEY_RATE?: RateLimit;
  AUTH_FAILURE_RATE?: RateLimit;
  UNKNOWN_SLUG_RATE?: RateLimit;
  /** Tells this installation's rate-limit counters from those of others in the same account. */
  INSTALLATION?: string;
  BASE_URL?: string;
  SHORT_BASE_URL?: string;
  ROOT_REDIRECT_URL?: string;
  ABUSE_CONTACT?: string;
  CLICK_PACK_SECONDS?: string;
  DESTINATION_DNS_CHECK?: string;
  ACCESS_TEAM_DOMAIN?: string;
  ACCESS_AUD?: string;
}

type AccessVariable = "ACCESS_TEAM_DOMAIN" | "ACCESS_AUD";

/** The variables, parsed once: addresses without a trailing slash, empty ones as null. */
export interface Config {
  baseUrl: string;
  shortBaseUrl: string;
  /** The hosts that a destination may not lead to. */
  ownHosts: readonly string[];
  /** The host that serves short links and nothing else; null where one host serves everything. */
  linkHost: string | null;
  rootRedirectUrl: string | null;
  /** A URI. */
  abuseContact: string | null;
  /** The address of a resolver that answers `application/dns-json`; null where destinations are not looked up. */
  resolver: string | null;
  /** Cloudflare Access in front of the web application; null where sign-in links open it. */
  access: { issuer: string; audience: string } | null;
  /** The variable without which the other one of Access says nothing: then nobody is let in. Null where both or none are set. */
  missingAccessVariable: AccessVariable | null;
}

export interface Workspace {
  /** Internal; never leaves the service. */
  rowId: number;
  id: string;
  name: string;
  slug: string;
}

/** The answer of a request as it is kept for a repeat: the resource in its public shape as JSON, and what goes with it. */
export interface Answer {
  status: number;
  body: string;
  etag: string | null;
}

/** A request's `Idempotency-Key` while the request runs. */
export interface Reservation {
  apiKeyId: number;
  key: string;
  /** Hash of method, path and raw body. */
  fingerprint: string;
  /** The same as the release before made it: its rows are replayed for a day. */
  formerFingerprint?: () => Promise<string>;
  /** Tells this request from another one with the same key. */
  operationId: string;
  /** The status of its answer where it succeeds. */
  status: number;
}

/** What a verb needs beside its input: where things are kept, who asks, in which workspace, and when. */
export interface Context {
  db: Database;
  /** The same database for work behind the answer, whose calls are no part of the answer's. Absent where nobody counts. */
  backgroundDb?: Database;
  kv: KVNamespace;
  config: Config;
  workspace: Workspace;
  /**
   * Who acts, for the audit log: `key:<id>`, `member:<e-mail>` in the web application, `operator` for the command,
   * `schedule` for what the Worker does by itself, `visitor` before somebody has signed in.
   */
  actor: string;
  now: () => number;
  random: (bytes: number) => Uint8Array;
  /** Work that may end after the answer. */
  waitUntil: (work: Promise<unknown>) => void;
  /** The tags of the request's `If-Match`, where it sent one. */
  ifMatch?: EntityTags;
  /** The request's `Idempotency-Key`, where it sent one. */
  reservation?: Reservation;
}

/** A context before the workspace is known: authentication, visits and the operator's own verbs. */
export type ServiceContext = Omit<Context, "workspace" | "ifMatch" | "reservation">;

const parseAddress = (value: string | undefined): string | null => {
  const trimmed = (value ?? "").trim().replace(/\/+$/, "");
  return trimmed === "" ? null : trimmed;
};

/** A bare e-mail address becomes a `mailto:` URI. */
const parseContact = (value: string | undefined): string | null => {
  const trimmed = (value ?? "").trim();
  if (trimmed === "") return null;
  return trimmed.includes("@") && !trimmed.includes(":") ? `mailto:${trimmed}` : trimmed;
};

const DEFAULT_RESOLVER = "https://security.cloudflare-dns.com/dns-query";

/** A URL is the resolver itself; any other word but one for "off" takes Cloudflare's, which blocks malware. */
function parseResolver(value: string | undefined): string | null {
  const trimmed = (value ?? "").trim();
  if (["", "0", "false", "no", "off"].includes(trimmed.toLowerCase())) return null;
  return /^https?:\/\//i.test(trimmed) ? trimmed : DEFAULT_RESOLVER;
}

/** Whom Access tokens must come from and be for: a team domain, with or without `https://` and `.cloudflareaccess.com`. */
function parseAccess(
  team: string | undefined,
  audience: string | undefined,
): Pick<Config, "access" | "missingAccessVariable"> {
  const domain = (parseAddress(team) ?? "").replace(/^https:\/\//i, "").toLowerCase();
  const tag = (audience ?? "").trim();
  if (domain === "" || tag === "") {
    const missing = domain === "" ? "ACCESS_TEAM_DOMAIN" : "ACCESS_AUD";
    return { access: null, missingAccessVariable: domain === tag ? null : missing };
  }
  const issuer = `https://${domain.includes(".") ? domain : `${domain}.cloudflareaccess.com`}`;
  return { access: { issuer, audience: tag }, missingAccessVariable: null };
}

/** Parses the variables; `origin` stands in for the addresses that are not set. */
export function parseConfig(env: Env, origin: string): Config {
  const baseUrl = parseAddress(env.BASE_URL) ?? origin;
  const shortBaseUrl = parseAddress(env.SHORT_BASE_URL) ?? origin;
  const hosts = [baseUrl, shortBaseUrl].map((url) => new URL(url).hostname.toLowerCase());
  const shortHost = new URL(shortBaseUrl).host;
  const isApart = parseAddress(env.SHORT_BASE_URL) !== null && new URL(baseUrl).host !== shortHost;
  return {
    baseUrl,
    shortBaseUrl,
    ownHosts: [...new Set(hosts)],
    linkHost: isApart ? shortHost : null,
    rootRedirectUrl: (env.ROOT_REDIRECT_URL ?? "").trim() || null,
    abuseContact: parseContact(env.ABUSE_CONTACT),
    resolver: parseResolver(env.DESTINATION_DNS_CHECK),
    ...parseAccess(env.ACCESS_TEAM_DOMAIN, env.ACCESS_AUD),
  };
}

export const systemRandom = (bytes: number): Uint8Array => crypto.getRandomValues(new Uint8Array(bytes));
