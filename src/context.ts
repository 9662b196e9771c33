import type { Database } from "./db/client";
import type { Meter } from "./db/meter";
import type { EntityTags } from "./lib/etag";
import type { ZoneHistory } from "./lib/time-zone";

/** Bindings and variables, as in wrangler.toml. */
export interface Env {
  DB: D1Database;
  KV: KVNamespace;
  /** The files of `src/public`, of the packages that its pages load, and the public suffixes. */
  ASSETS?: Fetcher;
  KEY_RATE?: RateLimit;
  PERSON_RATE?: RateLimit;
  /** Count units of 10 ms of D1. */
  CALLER_WORK?: RateLimit;
  WORKSPACE_WORK?: RateLimit;
  REPORT_WORK?: RateLimit;
  AUTH_FAILURE_RATE?: RateLimit;
  UNKNOWN_SLUG_RATE?: RateLimit;
  PASSKEY_RATE?: RateLimit;
  /** Separates the rate-limit counters of installations in the same account. */
  INSTALLATION?: string;
  CLOUDFLARE_PLAN?: string;
  CREATIONS?: string;
  BASE_URL?: string;
  SHORT_BASE_URL?: string;
  /** Hosts that were `BASE_URL` or `SHORT_BASE_URL` before, with spaces or commas between them. */
  FORMER_HOSTS?: string;
  ROOT_REDIRECT_URL?: string;
  NOT_FOUND_REDIRECT_URL?: string;
  OWN_PREVIEWS?: string;
  CACHE_EPOCH?: string;
  ABUSE_CONTACT?: string;
  SIGN_IN_HELP?: string;
  CLICK_PACK_SECONDS?: string;
  DESTINATION_DNS_CHECK?: string;
  /** The DNS resolver that looks for the proof of a domain. */
  DOMAIN_RESOLVER?: string;
  DESTINATION_HEALTH_CHECK?: string;
  ALERT_WEBHOOK?: string;
  ALERT_SECRET?: string;
  /** Opens what `/health` says to operators alone. */
  HEALTH_TOKEN?: string;
  /** What the cron of every minute calls after its jobs. */
  HEARTBEAT_URL?: string;
  ACCESS_TEAM_DOMAIN?: string;
  ACCESS_AUD?: string;
  /** Sends mail, with `MAIL_FROM` as the sender. */
  MAIL?: SendEmail;
  /** Scheduled backups. */
  BACKUPS?: R2Bucket;
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
  /** The beginning of the names of all values in KV. */
  cacheEpoch: string;
  /** The name in the mark by which a host shows that it is routed here. */
  installation: string;
  /** A URI. */
  abuseContact: string | null;
  /** What the sign-in page says to somebody without a link or passkey; null for its own sentence. */
  signInHelp: string | null;
  /** URL of a DNS resolver for `application/dns-json`; null if destinations are not checked. */
  resolver: string | null;
  /** URL of the DNS resolver that looks for the proof of a domain; null for a default one. */
  domainResolver: string | null;
  /** Whether destinations are asked whether they still answer. */
  healthCheck: boolean;
  /** Whether a request may compute for longer than 10 ms. */
  isPaidPlan: boolean;
  /** D1 statements that an invocation may send, by the plan of the Cloudflare account. */
  maxStatements: number;
  /** The size of a database by the same plan. */
  maxDatabaseBytes: number;
  /** Whether something can be created. The operator switches it off around Time Travel. */
  allowsCreations: boolean;
  /** How many messages to receivers a run of the schedule sends, by the outgoing calls of the same plan. */
  maxMessagesPerRun: number;
  /** How often a receiver hears of visits at most, by the same plan. */
  visitsToldEveryMs: number;
  /** Where events are sent; null for nowhere. */
  alertWebhook: string | null;
  /** The secret that signs them, as it was given; null without one. */
  alertSecret: string | null;
  /** What is called after the jobs of every minute; null for nothing. */
  heartbeatUrl: string | null;
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
  /** The same, with those by which earlier visits are counted. */
  zones: ZoneHistory;
  /** Whether visits from its own networks do not count. */
  leavesOutOwnVisits?: boolean;
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
  /** The static files. Absent where no job needs them. */
  files?: Fetcher;
  /** The bucket of scheduled backups. Absent where none is bound. */
  backups?: R2Bucket;
  /** For a program only what never changes is known before its key is checked, in the first call of D1. */
  workspace: Pick<Workspace, "rowId">;
  /**
   * The actor in the audit log: `key:<id>`, `member:<e-mail>`, `operator` or `operator:<name>` (command line), `schedule`
   * (crons) or `visitor` (before sign-in).
   */
  actor: string;
  now: () => number;
  random: (bytes: number) => Uint8Array;
  /** Registers work that may end after the response. */
  waitUntil: (work: Promise<unknown>) => void;
  /** Waits until the instance has room for so many bytes, which it keeps until the answer is sent. Absent if it serves nobody else. */
  hold?: (bytes: number) => Promise<void>;
  /** The entity tags of the request's `If-Match`, if any. */
  ifMatch?: EntityTags;
  /** The operation id of what a form changes: the form, sent again, finds it taken. Undefined for any other request. */
  operation?: string | undefined;
}

/** A context with all properties of the workspace. */
export interface WorkspaceContext extends Context {
  workspace: Workspace;
}

/** The audit entry of a change in a workspace, by its row id; null for a change in none. */
export const auditEntryIn = (
  workspaceId: number | null,
  { actor }: Pick<Context, "actor">,
  action: string,
  subject: string,
  at: number,
) => ({ workspaceId, actor, action, subject, at });

/** The audit entry of a change in the context's workspace. */
export const auditEntry = (
  ctx: Pick<Context, "actor" | "workspace" | "operation">,
  action: string,
  subject: string,
  at: number,
) => ({ ...auditEntryIn(ctx.workspace.rowId, ctx, action, subject, at), operation: ctx.operation });

/** A context without a workspace: authentication, visits and the operator's verbs. */
export type ServiceContext = Omit<Context, "workspace" | "ifMatch">;

export const systemRandom = (bytes: number): Uint8Array => crypto.getRandomValues(new Uint8Array(bytes));
