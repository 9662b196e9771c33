/** The headers of every page for visitors. */
export const PAGE_HEADERS = {
  "cache-control": "private, no-store",
  "content-security-policy":
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
  "referrer-policy": "strict-origin-when-cross-origin",
  vary: "Accept, Accept-Language",
  "x-content-type-options": "nosniff",
  "x-robots-tag": "noindex",
};
