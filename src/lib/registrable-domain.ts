import { hostAndParents, normaliseHost } from "./destination";

/**
 * Public suffixes of two labels or more, such as `co.uk`. `*.` stands for any label, and `!` is before a domain that `*.` does
 * not mean. Each last label is a suffix.
 */
export type PublicSuffixes = ReadonlySet<string>;

/** The domain that somebody registered: a suffix with one more label. Undefined for an IP address and for a suffix alone. */
export function registrableDomain(host: string, suffixes: PublicSuffixes): string | undefined {
  const names = hostAndParents(host.replace(/\.$/, ""));
  const isSuffix = (name: string, index: number): boolean =>
    index === names.length - 1 || suffixes.has(name) || suffixes.has(`*.${names[index + 1]}`);
  const domain = names.find((name) => suffixes.has(`!${name}`)) ?? names[names.findIndex(isSuffix) - 1];
  return domain && normaliseHost(domain);
}
