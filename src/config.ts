import type { Config, Env } from "./context";

// The variables of wrangler.toml, parsed.

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
function parseMail({ MAIL: binding, MAIL_FROM, BASE_URL }: Env): Pick<Config, "mail" | "missingMailSetting"> {
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
