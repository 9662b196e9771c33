import { addressIn, domainNamed, type ShortHost } from "../../lib/short-url";
import { SHORT_HOST } from "../../lib/slug-text";

/** The id or address in what a person typed: `summer`, `/summer`, or a short URL with or without its scheme. */
export function toLinkReference(text: string, host: Pick<ShortHost, "shortHost">): string {
  const given = text.trim();
  const address = addressIn(given);
  if (address === undefined) return /^\/([^/?#]+)\/?(?:[?#].*)?$/.exec(given)?.[1] ?? given;
  const domain = domainNamed(host, address.host);
  return domain === SHORT_HOST ? address.slug : `${domain}/${address.slug}`;
}
