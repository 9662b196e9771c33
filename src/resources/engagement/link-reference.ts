/** The id or slug in what a person typed: `summer`, `/summer`, or a short URL of this service with or without its scheme. */
export function toLinkReference(text: string, shortBaseUrl: string): string {
  const given = text.trim();
  const address = given.replace(/^https?:\/\//i, "");
  const host = shortBaseUrl.replace(/^https?:\/\//i, "");
  const path =
    address.slice(0, host.length).toLowerCase() === host.toLowerCase() ? address.slice(host.length) : given;
  const [, slug] = /^\/([^/?#]+)\/?(?:[?#].*)?$/.exec(path) ?? [];
  return slug ?? given;
}
