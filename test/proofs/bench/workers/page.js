const PAGE = new TextEncoder().encode(
  `<!doctype html>\n<html lang="en"><head><title>This link leads nowhere</title></head><body>${"x".repeat(750)}</body></html>`,
);
const HEADERS = new Headers({
  "Content-Type": "text/html; charset=utf-8",
  "Cache-Control": "private, no-store",
  "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  "Referrer-Policy": "strict-origin-when-cross-origin",
  "X-Content-Type-Options": "nosniff",
  "X-Robots-Tag": "noindex",
  Vary: "Accept",
});

export default {
  fetch: () => new Response(PAGE, { status: 404, headers: HEADERS }),
};
