import type { Config } from "../context";
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

const text = (body: string, type: string, maxAge: number): Response =>
  new Response(body, {
    headers: {
      "Content-Type": type,
      "Cache-Control": `public, max-age=${maxAge}`,
      "X-Content-Type-Options": "nosniff",
    },
  });

/** The file at a path, or undefined where none of these stands there. */
export function siteFile(path: string, config: Config, now: number): Response | undefined {
  switch (path) {
    case "/":
      return root(config);
    case "/robots.txt":
      return text(ROBOTS, "text/plain; charset=utf-8", 3600);
    case "/favicon.ico":
      return text(ICON, "image/svg+xml", 86400);
    case "/.well-known/security.txt":
      return config.abuseContact === null ? undefined : securityText(config.abuseContact, now);
    default:
      return undefined;
  }
}

function root(config: Config): Response {
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

function securityText(contact: string, now: number): Response {
  const expires = new Date(now + 90 * DAY_MS).toISOString();
  return text(
    `Contact: ${contact}\nExpires: ${expires}\nPreferred-Languages: en\n`,
    "text/plain; charset=utf-8",
    3600,
  );
}
