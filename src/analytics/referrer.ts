import { type PublicSuffixes, registrableDomain } from "../lib/registrable-domain";

/** Distinct referrers per owner and day. Further ones count as `OTHER_REFERRERS`. */
export const MAX_REFERRERS = 100;
/** Never a domain, because a domain has a dot. */
export const OTHER_REFERRERS = "other";
export const NO_REFERRER = "";
const MAX_HOST_LENGTH = 253;

/** The registrable domain, or "" for none, an IP address or a name without a dot. */
export function referrerDomain(referrer: string | null, suffixes: PublicSuffixes): string {
  if (referrer === null) return NO_REFERRER;
  try {
    const { protocol, hostname } = new URL(referrer);
    if ((protocol !== "https:" && protocol !== "http:") || hostname.length > MAX_HOST_LENGTH)
      return NO_REFERRER;
    return registrableDomain(hostname, suffixes) ?? NO_REFERRER;
  } catch {
    return NO_REFERRER;
  }
}
