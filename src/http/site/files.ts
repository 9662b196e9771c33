import type { Config } from "../../context";
import { PAGE_POLICY, rootPage } from "./pages";

// The fixed files of a short-link host.

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1d4ed8"/>
<path d="M9 7v18M9 8h13l-4 4.5 4 4.5H9" fill="none" stroke="#fff" stroke-width="3" stroke-linejoin="round"/></svg>
`;

const ROBOTS = `User-agent: *
Disallow: /api/
Disallow: /app
`;

const DAY_MS = 24 * 60 * 60 * 1000;

/** A file that caches may keep for `maxAge` seconds. */
export const text = (body: string, type: string, maxAge: number): Response =>
  new Response(body, {
    headers: {
      "Content-Type": type,
      "Cache-Control": `public, max-age=${maxAge}`,
      "X-Content-Type-Options": "nosniff",
    },
  });

export const robots = (): Response => text(ROBOTS, "text/plain; charset=utf-8", 3600);

export const icon = (): Response => text(ICON, "image/svg+xml", 86400);

/** Shows that a host is routed to this installation. */
export const mark = ({ installation }: Pick<Config, "installation">): Response =>
  Response.json({ installation }, { headers: { "Cache-Control": "no-store" } });

/** Redirects to the configured URL, or shows a page about this host. */
export function root(config: Pick<Config, "rootRedirectUrl">): Response {
  if (config.rootRedirectUrl !== null) {
    return new Response(null, {
      status: 302,
      headers: { Location: config.rootRedirectUrl, "Cache-Control": "private, no-store" },
    });
  }
  const response = text(rootPage(), "text/html; charset=utf-8", 3600);
  response.headers.set("Content-Security-Policy", PAGE_POLICY);
  return response;
}

/** The security.txt file; undefined without a configured contact. */
export function securityText({ abuseContact }: Config, now: number): Response | undefined {
  if (abuseContact === null) return undefined;
  const expires = new Date(now + 90 * DAY_MS).toISOString();
  return text(
    `Contact: ${abuseContact}\nExpires: ${expires}\nPreferred-Languages: en\n`,
    "text/plain; charset=utf-8",
    3600,
  );
}
