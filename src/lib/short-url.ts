import { normaliseHost } from "./destination";
import { domainOfKey, SHORT_HOST, type SlugKey, slugKey, slugOfKey } from "./slug-text";

/** Where short links are: the address of the service's short host, and its host name. */
export interface ShortHost {
  shortBaseUrl: string;
  shortHost: string;
}

const HOST = /^(https?:\/\/)(?:\[[^\]]*\]|[^/:]+)/i;

/** The short URL of a slug. A domain has the scheme and the port of the short host. */
export const shortUrlOf = ({ shortBaseUrl }: Pick<ShortHost, "shortBaseUrl">, domain: string, slug: string) =>
  `${domain === SHORT_HOST ? shortBaseUrl : shortBaseUrl.replace(HOST, `$1${domain}`)}/${slug}`;

/** The host of an address, for people and programs. */
export const hostOfDomain = ({ shortHost }: Pick<ShortHost, "shortHost">, domain: string): string =>
  domain === SHORT_HOST ? shortHost : domain;

/** The domain that a host name as typed means: in lower-case ASCII, without a trailing dot. */
export function domainNamed({ shortHost }: Pick<ShortHost, "shortHost">, typed: string): string {
  const host = normaliseHost(typed) ?? typed.toLowerCase().replace(/\.$/, "");
  return host === shortHost ? SHORT_HOST : host;
}

/** The key of an address as people write it: a slug, which is on `domain`, or a host and a slug with a slash between them. */
export function namedKey(host: Pick<ShortHost, "shortHost">, address: string, domain = SHORT_HOST): SlugKey {
  const slash = address.indexOf("/");
  return slash === -1
    ? slugKey(domain, address)
    : slugKey(domainNamed(host, address.slice(0, slash)), address.slice(slash + 1));
}

/** A key as people write it beside a link on `domain`: the slug alone where it is on the same one. */
export function writtenAddress(host: Pick<ShortHost, "shortHost">, key: string, domain: string): string {
  const own = domainOfKey(key);
  return own === domain ? slugOfKey(key) : `${hostOfDomain(host, own)}/${slugOfKey(key)}`;
}

/** A link as people name it in a workspace: the slug alone on the short host. */
export const nameOfAddress = (host: Pick<ShortHost, "shortHost">, link: { domain: string; slug: string }) =>
  link.domain === host.shortHost ? link.slug : `${link.domain}/${link.slug}`;

const ADDRESS = /^(?:https?:\/\/)?([^/?#\s:@]+)(?::\d+)?\/([^/?#\s]+)\/?(?:[?#]\S*)?$/i;

/** The host and the slug in a short URL, with or without its scheme; undefined for other texts. */
export function addressIn(text: string): { host: string; slug: string } | undefined {
  const [, host, slug] = ADDRESS.exec(text.trim()) ?? [];
  return host === undefined || slug === undefined ? undefined : { host: host.toLowerCase(), slug };
}
