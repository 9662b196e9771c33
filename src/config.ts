import type { Config, Env } from "./context";
import { HOUR_MS, MINUTE_MS } from "./lib/time";

// The variables of wrangler.toml, parsed.

/** Null for an empty text. */
const parseText = (value: string | undefined): string | null => (value ?? "").trim() || null;

const parseAddress = (value: string | undefined): string | null =>
  parseText(value)?.replace(/\/+$/, "") || null;

/** A bare e-mail address becomes a `mailto:` URI. */
const parseContact = (value: string | undefined): string | null => {
  const text = parseText(value);
  return text?.includes("@") && !text.includes(":") ? `mailto:${text}` : text;
};

/** Only a plain "on" switches on what the operator answers for. */
const isPlainlyOn = (value: string | undefined): boolean => parseText(value)?.toLowerCase() === "on";

export const allowsOwnPreviews = ({ OWN_PREVIEWS: value }: Pick<Env, "OWN_PREVIEWS">): boolean =>
  isPlainlyOn(value);

/** The beginning of the names of all values in KV. */
export const cacheEpoch = ({ CACHE_EPOCH }: Pick<Env, "CACHE_EPOCH">): string =>
  parseText(CACHE_EPOCH) ?? "1";

const DEFAULT_RESOLVER = "https://security.cloudflare-dns.com/dns-query";

/** A URL is used as the resolver. Any other value but "off" selects Cloudflare's malware-blocking resolver. */
function parseResolver(value: string | undefined): string | null {
  const text = parseText(value);
  if (text === null || ["0", "false", "no", "off"].includes(text.toLowerCase())) return null;
  return /^https?:\/\//i.test(text) ? text : DEFAULT_RESOLVER;
}

/** A team's name, alone or with Cloudflare's host. */
const TEAM = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(\.cloudflareaccess(?:-gov)?\.com)?$/;

/**
 * The issuer and audience of Access tokens. `team` may omit `https://` and `.cloudflareaccess.com`. Whoever answers there signs
 * people in, so a host that is not Cloudflare's counts as empty.
 */
function parseAccess(
  team: string | undefined,
  audience: string | undefined,
): Pick<Config, "access" | "missingAccessVariable"> {
  const domain =
    parseAddress(team)
      ?.toLowerCase()
      .replace(/^https:\/\//, "") ?? null;
  const tag = parseText(audience);
  if (domain === null && tag === null) return { access: null, missingAccessVariable: null };
  const match = TEAM.exec(domain ?? "");
  if (match === null) return { access: null, missingAccessVariable: "ACCESS_TEAM_DOMAIN" };
  if (tag === null) return { access: null, missingAccessVariable: "ACCESS_AUD" };
  const issuer = `https://${domain}${match[1] === undefined ? ".cloudflareaccess.com" : ""}`;
  return { access: { issuer, audience: tag }, missingAccessVariable: null };
}

/** Mails hold addresses of the service. Without `BASE_URL` these would be whatever host the request names. */
function parseMail({ MAIL: binding, MAIL_FROM, BASE_URL }: Env): Pick<Config, "mail" | "missingMailSetting"> {
  const from = parseText(MAIL_FROM);
  if (binding === undefined) return { mail: null, missingMailSetting: from === null ? null : "MAIL" };
  if (from === null) return { mail: null, missingMailSetting: "MAIL_FROM" };
  if (parseAddress(BASE_URL) === null) return { mail: null, missingMailSetting: "BASE_URL" };
  return { mail: { binding, from }, missingMailSetting: null };
}

const FREE_PLAN = {
  isPaidPlan: false,
  maxStatements: 50,
  maxDatabaseBytes: 500_000_000,
  maxMessagesPerRun: 20,
  visitsToldEveryMs: HOUR_MS,
};
const PAID_PLAN = {
  isPaidPlan: true,
  maxStatements: 1_000,
  maxDatabaseBytes: 10_000_000_000,
  maxMessagesPerRun: 200,
  visitsToldEveryMs: 5 * MINUTE_MS,
};

const hostNameOf = (url: string): string => new URL(url).hostname.toLowerCase();

/** The hosts of the service; a null `main` means that no address is configured, so that each host has everything. */
export function parseHosts(env: Env): {
  main: string | null;
  short: string | null;
  former: ReadonlySet<string>;
  /** The origin of `main` if its address is https; then nothing secret may come over http. */
  secureOrigin: string | null;
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
    secureOrigin: base !== null && new URL(base).protocol === "https:" ? new URL(base).origin : null,
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
    rootRedirectUrl: parseText(env.ROOT_REDIRECT_URL),
    notFoundRedirectUrl: parseText(env.NOT_FOUND_REDIRECT_URL),
    ownPreviews: allowsOwnPreviews(env),
    cacheEpoch: cacheEpoch(env),
    installation: parseText(env.INSTALLATION) ?? "waymark",
    abuseContact: parseContact(env.ABUSE_CONTACT),
    signInHelp: parseText(env.SIGN_IN_HELP),
    resolver: parseResolver(env.DESTINATION_DNS_CHECK),
    domainResolver: parseText(env.DOMAIN_RESOLVER),
    ...(parseText(env.CLOUDFLARE_PLAN)?.toLowerCase() === "paid" ? PAID_PLAN : FREE_PLAN),
    allowsCreations: parseText(env.CREATIONS)?.toLowerCase() !== "off",
    healthCheck: isPlainlyOn(env.DESTINATION_HEALTH_CHECK),
    alertWebhook: parseText(env.ALERT_WEBHOOK),
    alertSecret: parseText(env.ALERT_SECRET),
    heartbeatUrl: parseText(env.HEARTBEAT_URL),
    ...parseAccess(env.ACCESS_TEAM_DOMAIN, env.ACCESS_AUD),
    ...parseMail(env),
  };
}
