import { normaliseHost } from "./destination";
import { domainOfKey, isSlugShaped, SHORT_HOST, type SlugKey, slugKey, slugOfKey } from "./slug-text";

/** Where short links are: the address of the service's short host, and its host name. */
export interface ShortHost {
  shortBaseUrl: string;
  shortHost: string;
}

const HOST = /^(https?:\/\/)(?:\[[^\]]*\]|[^/:]+)/i;

/** The short URL of a slug. A domain has the scheme and the port of the short host. */
export const shortUrlOf = ({ shortBaseUrl }: Pick<ShortHost, "shortBaseUrl">, domain: string, slug: string) =>
  `${domain === SHORT_HOST ? shortBaseUrl : shortBaseUrl.replace(HOST, (_, scheme: string) => scheme + domain)}/${slug}`;

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

/** A short URL as `host/slug`; any other text as it is. */
export function typedAddress(text: string): string {
  const { host, slug } = addressIn(text) ?? {};
  return host === undefined ? text : `${host}/${slug}`;
}

/** What separates and surrounds the short URLs of one cell, such as Bitly's list of custom ones. */
const BETWEEN_URLS = /[\s,;"'[\]]+/;

interface Address {
  host?: string;
  slug: string;
}

/** The host and slug of a short URL without a query. Undefined for any other text. */
function addressOf(text: string): Address | undefined {
  const address = /[?#]/.test(text) ? undefined : addressIn(text);
  return address?.host.includes(".") === true ? address : undefined;
}

/**
 * The addresses in a cell: of each short URL in it, else the cell itself without a leading slash. A cell that is neither is
 * returned as it is, so that its row is refused.
 */
export function addressesIn(cell: string): Address[] {
  const texts = cell.split(BETWEEN_URLS).filter((text) => text !== "");
  const found = texts.map(addressOf).filter((address) => address !== undefined);
  if (found.length > 0 && found.length === texts.length) return found;
  const bare = cell.replace(/^\//, "");
  return [{ slug: isSlugShaped(bare) ? bare : cell }].filter(({ slug }) => slug !== "");
}
