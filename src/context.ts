import type { Database, Meter } from "./db/client";
import type { EntityTags } from "./lib/etag";

/** Bindings and variables, as in wrangler.toml. */
export interface Env {
  DB: D1Database;
  KV: KVNamespace;
  /** The files of `src/public`, and of the packages that its pages load. */
  ASSETS?: Fetcher;
  KEY_RATE?: RateLimit;
  PERSON_RATE?: RateLimit;
  /** Count units of 10 ms of D1. */
  CALLER_WORK?: RateLimit;
  WORKSPACE_WORK?: RateLimit;
  REPORT_WORK?: RateLimit;
  AUTH_FAILURE_RATE?: RateLimit;
  UNKNOWN_SLUG_RATE?: RateLimit;
  /** Separates the rate-limit counters of installations in the same account. */
  INSTALLATION?: string;
  CLOUDFLARE_PLAN?: string;
  BASE_URL?: string;
  SHORT_BASE_URL?: string;
  /** Hosts that were `BASE_URL` or `SHORT_BASE_URL` before, with spaces or commas between them. */
  FORMER_HOSTS?: string;
  ROOT_REDIRECT_URL?: string;
  NOT_FOUND_REDIRECT_URL?: string;
  OWN_PREVIEWS?: string;
  ABUSE_CONTACT?: string;
  CLICK_PACK_SECONDS?: string;
  DESTINATION_DNS_CHECK?: string;
  /** The DNS resolver that looks for the proof of a domain. */
  DOMAIN_RESOLVER?: string;
  DESTINATION_HEALTH_CHECK?: string;
  ALERT_WEBHOOK?: string;
  ALERT_SECRET?: string;
  ACCESS_TEAM_DOMAIN?: string;
  ACCESS_AUD?: string;
  /** Sends mail, with `MAIL_FROM` as the sender. */
  MAIL?: SendEmail;
  MAIL_FROM?: string;
}

type MailSetting = "MAIL" | "MAIL_FROM" | "BASE_URL";

type AccessVariable = "ACCESS_TEAM_DOMAIN" | "ACCESS_AUD";

/** The parsed variables. URLs have no trailing slash. Empty variables are null. */
export interface Config {
  baseUrl: string;
  shortBaseUrl: string;
  /** Hosts of this service, refused as destinations. */
  ownHosts: readonly string[];
  /** The host name of `shortBaseUrl`. */
  shortHost: string;
  /** Whether hosts below localhost can be domains, as they can while no address is configured. */
  isLocal: boolean;
  rootRedirectUrl: string | null;
  /** Where unknown slugs of the short host lead. */
  notFoundRedirectUrl: string | null;
  /** Whether a link may say what chats and networks show of it. */
  ownPreviews: boolean;
  /** The name in the mark by which a host shows that it is routed here. */
  installation: string;
  /** A URI. */
  abuseContact: string | null;
  /** URL of a DNS resolver for `application/dns-json`; null if destinations are not checked. */
  resolver: string | null;
  /** URL of the DNS resolver that looks for the proof of a domain; null for a default one. */
  domainResolver: string | null;
  /** Whether destinations are asked whether they still answer. */
  healthCheck: boolean;
  /** D1 statements that an invocation may send, by the plan of the Cloudflare account. */
  maxStatements: number;
  /** The size of a database by the same plan. */
  maxDatabaseBytes: number;
  /** Where events are sent; null for nowhere. */
  alertWebhook: string | null;
  /** The secret that signs them, as it was given; null without one. */
  alertSecret: string | null;
  /** Cloudflare Access for the web application; null with sign-in links. */
  access: { issuer: string; audience: string } | null;
  /** The unset one of the two Access variables, which locks everyone out. Null if both or neither are set. */
  missingAccessVariable: AccessVariable | null;
  /** Where mail is sent; null if it is not, and people copy links. */
  mail: { binding: SendEmail; from: string } | null;
  /** What is unset of the settings of mail, none of which then acts. Null if all or neither of the first two are set. */
  missingMailSetting: MailSetting | null;
}

export interface Workspace {
  /** Internal, never in a response. */
  rowId: number;
  id: string;
  name: string;
  slug: string;
  /** IANA name, such as `Europe/Zurich`. */
  timeZone: string;
  /** In milliseconds since the epoch. */
  createdAt: number;
}

/** The dependencies of a verb: storage, configuration, actor, workspace, clock and randomness. */
export interface Context {
  db: Database;
  /** The database for background work, with its own meter. Absent if calls are not metered. */
  backgroundDb?: Database;
  /** Counts what the request costs. Absent if nobody pays. */
  meter?: Meter;
  kv: KVNamespace;
  config: Config;
  workspace: Workspace;
  /**
   * The actor in the audit log: `key:<id>`, `member:<e-mail>`, `operator` (command line), `schedule` (crons) or `visitor`
   * (before sign-in).
   */
  actor: string;
  now: () => number;
  random: (bytes: number) => Uint8Array;
  /** Registers work that may end after the response. */
  waitUntil: (work: Promise<unknown>) => void;
  /** The entity tags of the request's `If-Match`, if any. */
  ifMatch?: EntityTags;
}

/** The audit entry of a change in the context's workspace. */
export const auditEntry = (
  { actor, workspace }: Pick<Context, "actor" | "workspace">,
  action: string,
  subject: string,
  at: number,
) => ({ workspaceId: workspace.rowId, actor, action, subject, at });

/** A context without a workspace: authentication, visits and the operator's verbs. */
export type ServiceContext = Omit<Context, "workspace" | "ifMatch">;

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

const isOn = (value: string | undefined): boolean =>
  !["", "0", "false", "no", "off"].includes((value ?? "").trim().toLowerCase());

/** Only a plain "on" switches on what the operator answers for. */
const isPlainlyOn = (value: string | undefined): boolean => (value ?? "").trim().toLowerCase() === "on";

export const allowsOwnPreviews = ({ OWN_PREVIEWS: value }: Pick<Env, "OWN_PREVIEWS">): boolean =>
  isPlainlyOn(value);

const DEFAULT_RESOLVER = "https://security.cloudflare-dns.com/dns-query";

/** A URL is used as the resolver. Any other value but "off" selects Cloudflare's malware-blocking resolver. */
function parseResolver(value: string | undefined): string | null {
  if (!isOn(value)) return null;
  const trimmed = (value ?? "").trim();
  return /^https?:\/\//i.test(trimmed) ? trimmed : DEFAULT_RESOLVER;
}

/** The issuer and audience of Access tokens. `team` may omit `https://` and `.cloudflareaccess.com`. */
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

/** Mails hold addresses of the service. Without `BASE_URL` these would be whatever host the request names. */
export function parseMail({
  MAIL: binding,
  MAIL_FROM,
  BASE_URL,
}: Env): Pick<Config, "mail" | "missingMailSetting"> {
  const from = (MAIL_FROM ?? "").trim();
  if (binding === undefined) return { mail: null, missingMailSetting: from === "" ? null : "MAIL" };
  if (from === "") return { mail: null, missingMailSetting: "MAIL_FROM" };
  if (parseAddress(BASE_URL) === null) return { mail: null, missingMailSetting: "BASE_URL" };
  return { mail: { binding, from }, missingMailSetting: null };
}

const FREE_PLAN = { maxStatements: 50, maxDatabaseBytes: 500_000_000 };
const PAID_PLAN = { maxStatements: 1_000, maxDatabaseBytes: 10_000_000_000 };

const hostNameOf = (url: string): string => new URL(url).hostname.toLowerCase();

/** The hosts of the service; a null `main` means that no address is configured, so that each host has everything. */
export function parseHosts(env: Env): {
  main: string | null;
  short: string | null;
  former: ReadonlySet<string>;
} {
  const base = parseAddress(env.BASE_URL);
  const short = parseAddress(env.SHORT_BASE_URL);
  return {
    main: base === null ? null : hostNameOf(base),
    short: short === null ? null : hostNameOf(short),
    former: new Set(
      (env.FORMER_HOSTS ?? "")
        .toLowerCase()
        .split(/[\s,]+/)
        .filter(Boolean),
    ),
  };
}

/** Parses the variables. `origin` is the default of both base URLs. */
export function parseConfig(env: Env, origin: string): Config {
  const baseUrl = parseAddress(env.BASE_URL) ?? origin;
  const shortBaseUrl = parseAddress(env.SHORT_BASE_URL) ?? baseUrl;
  const shortHost = hostNameOf(shortBaseUrl);
  const { main, former } = parseHosts(env);
  return {
    baseUrl,
    shortBaseUrl,
    ownHosts: [...new Set([hostNameOf(baseUrl), shortHost, ...former])],
    shortHost,
    isLocal: main === null,
    rootRedirectUrl: (env.ROOT_REDIRECT_URL ?? "").trim() || null,
    notFoundRedirectUrl: (env.NOT_FOUND_REDIRECT_URL ?? "").trim() || null,
    ownPreviews: allowsOwnPreviews(env),
    installation: (env.INSTALLATION ?? "").trim() || "waymark",
    abuseContact: parseContact(env.ABUSE_CONTACT),
    resolver: parseResolver(env.DESTINATION_DNS_CHECK),
    domainResolver: (env.DOMAIN_RESOLVER ?? "").trim() || null,
    ...((env.CLOUDFLARE_PLAN ?? "").trim().toLowerCase() === "paid" ? PAID_PLAN : FREE_PLAN),
    healthCheck: isPlainlyOn(env.DESTINATION_HEALTH_CHECK),
    alertWebhook: (env.ALERT_WEBHOOK ?? "").trim() || null,
    alertSecret: (env.ALERT_SECRET ?? "").trim() || null,
    ...parseAccess(env.ACCESS_TEAM_DOMAIN, env.ACCESS_AUD),
    ...parseMail(env),
  };
}

export const systemRandom = (bytes: number): Uint8Array => crypto.getRandomValues(new Uint8Array(bytes));
