import type { Config } from "../../context";
import type { FieldError } from "../../errors";
import { type AddressField, destinationHost, hostAndParents, ownHostProblem } from "../../lib/destination";
import { label } from "../../lib/field-codes";
import { readRules } from "../../lib/rules";
import type { HostChecks } from "./resolver";
import type { RefusedHostRow } from "./statements";

interface Destinations {
  destination_url?: string | undefined;
  ended_url?: string | null | undefined;
  preview_image_url?: string | null | undefined;
  rules?: readonly { destination_url: string }[] | null | undefined;
}

/** The host of every URL to which the fields of a link lead visitors, or chats for its picture. */
export const hostsOfLink = (link: Destinations): string[] =>
  [
    link.destination_url,
    link.ended_url,
    link.preview_image_url,
    ...(link.rules ?? []).map((rule) => rule.destination_url),
  ].flatMap((url) => (url == null ? [] : destinationHost(url)));

interface RefusedHosts {
  /** They refuse what is below them too. */
  blocked: ReadonlySet<string>;
  /** Where short links are served. What is below such a host is another site. */
  domains: ReadonlySet<string>;
  /** What the resolver says of the hosts that it was asked about. */
  checks: HostChecks;
}

export const toRefusedHosts = (
  rows: readonly RefusedHostRow[],
  checks: HostChecks = new Map(),
): RefusedHosts => ({
  checks,
  blocked: new Set(rows.filter((row) => row.is_blocked === 1).map(({ host }) => host)),
  domains: new Set(rows.filter((row) => row.is_domain === 1).map(({ host }) => host)),
});

/** Refuses a destination on a host of the service, a workspace's domain, a blocked host, or with a bad result. */
export function hostProblem(
  { config }: { config: Pick<Config, "ownHosts"> },
  field: AddressField,
  url: string | null | undefined,
  { blocked, domains, checks }: RefusedHosts,
): FieldError | undefined {
  if (url == null) return undefined;
  const host = destinationHost(url);
  const own = ownHostProblem(host, config.ownHosts, field);
  if (own !== undefined) return { field, message: own.message, code: own.code };
  if (domains.has(host)) return forbiddenHost(field, "serves short links itself");
  if (hostAndParents(host).some((name) => blocked.has(name))) return blockedHost(field);
  return checks.get(host) === "blocked" ? dangerousHost(field) : undefined;
}

/** What is wrong with the destinations of rules, but for those that the link has already. */
export const ruleProblems = (
  ctx: { config: Pick<Config, "ownHosts"> },
  rules: readonly { destination_url: string }[] | null | undefined,
  refused: RefusedHosts,
  kept: string | null = null,
): (FieldError | undefined)[] => {
  const known = new Set(readRules(kept).map(({ destination_url: url }) => url));
  return (rules ?? []).map(({ destination_url: url }, index) =>
    known.has(url) ? undefined : hostProblem(ctx, `rules.${index}.destination_url`, url, refused),
  );
};

const forbiddenHost = (field: AddressField, rule: string): FieldError => ({
  field,
  message: `The ${label(field)} field leads to a host that ${rule}.`,
  code: "forbidden_host",
});

const dangerousHost = (field: AddressField = "destination_url"): FieldError =>
  forbiddenHost(field, "is known to spread malware");

export const blockedHost = (field: AddressField = "destination_url"): FieldError =>
  forbiddenHost(field, "this service does not allow");
