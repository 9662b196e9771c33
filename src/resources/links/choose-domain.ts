import type { ServedDomain } from "../../access/workspace-statements";
import { unknownSelection } from "../../field-errors";
import type { Failure } from "../../lib/failure";
import { domainNamed, namedKey, type ShortHost } from "../../lib/short-url";
import { domainOfKey, SHORT_HOST, slugKey } from "../../lib/slug-text";

export const INVALID_DOMAIN = unknownSelection("domain");

export const primaryOf = (served: readonly ServedDomain[]): string =>
  served.find(({ is_primary: isPrimary }) => isPrimary === 1)?.host ?? SHORT_HOST;

/** The domain that a request asks for, by default `otherwise`; undefined if the workspace has no such domain. */
export function chooseDomain(
  host: Pick<ShortHost, "shortHost">,
  asked: string | null | undefined,
  served: readonly ServedDomain[],
  otherwise = primaryOf(served),
): string | undefined {
  if (asked == null) return otherwise;
  const domain = domainNamed(host, asked);
  return domain === SHORT_HOST || served.some((one) => one.host === domain) ? domain : undefined;
}

/** A previous slug stands alone if it is on the domain of the link, else behind its host and a slash. */
export function addressesOf(
  host: Pick<ShortHost, "shortHost">,
  link: {
    domain?: string | null | undefined;
    slug?: string | null | undefined;
    old_slugs: readonly string[];
  },
  served: readonly ServedDomain[],
) {
  const chosen = chooseDomain(host, link.domain, served);
  const domain = chosen ?? SHORT_HOST;
  const old = link.old_slugs.map((address) => ({ address, key: namedKey(host, address, domain) }));
  const problems = old.flatMap(({ address, key }): Failure[] => {
    const own = domainOfKey(key);
    if (own === SHORT_HOST || served.some((one) => one.host === own)) return [];
    const message = `The old slug ${address} is on no domain of the workspace.`;
    return [{ field: "old_slugs", message, code: "unknown" }];
  });
  return {
    /** Without a key, a slug is to be generated. */
    addresses: { domain, key: link.slug == null ? undefined : slugKey(domain, link.slug), old },
    problems: [...(chosen === undefined ? [INVALID_DOMAIN] : []), ...problems],
  };
}

/** The hosts that links can be on, if there are several. */
export const hostsOf = (
  { shortHost }: Pick<ShortHost, "shortHost">,
  served: readonly ServedDomain[],
): string[] => (served.length === 0 ? [] : [shortHost, ...served.map(({ host }) => host)]);
