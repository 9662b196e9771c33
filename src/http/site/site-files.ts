import type { Config } from "../../context";
import { BRAND_MARK } from "../../lib/brand-mark";

// The fixed files of the service and of a short-link host.

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${BRAND_MARK}</svg>
`;

const ROBOTS = `User-agent: *
Disallow: /api/
Disallow: /app
`;

/** What an agent needs to know before its first call, as https://llmstxt.org has it. */
const describeForAgents = (base: string): string => `# Waymark

> A service for short links: UTM parameters, tags, Activity Groups (campaigns, events, projects) and QR codes.
> The API has 13 operations on the links of one workspace, which is the API key's.

Every request needs \`Authorization: Bearer lnk_…\`. The operator or an owner of the workspace issues the key.

## Rules for agents

- Keep keys on the server. Never put one into a page, an app, a repository or a log. To read, use a read-only key.
- Send \`Prefer: handling=strict\`: misspelt fields and filters are then 422 instead of ignored, and \`codes\` has stable words.
- Send an \`Idempotency-Key\` with every POST, and the same one with its retries. A retry then creates nothing twice.
- Give links that a program manages an \`external_id\`. It stays when the slug changes, and lists find the link by it.
- Before you overwrite what you have read, send its ETag as \`If-Match\`. After 412 read it again. After 429 and 503 wait for \`Retry-After\`.
- Printed codes encode the short URL. Change the destination of a link instead of deleting it. Old slugs keep redirecting.
- Give UTM parameters as fields, not in the destination. Without \`utm_campaign\` a link takes its group's default.

## Docs

- [OpenAPI document](${base}/api/v1/openapi.json): every operation, field and status, with examples
- [Reference](${base}/docs/reference): errors, retries, lists, campaigns and limits in prose
- [Automate it](${base}/docs/automate): the npm package \`waymark\`: a typed client, a command, links in a file, CI, and \`waymark mcp\`, an MCP server
- [Guide](${base}/docs/guide): the concepts, and the web application
`;

const DAY_MS = 24 * 60 * 60 * 1000;

/** A file that caches may keep for `maxAge` seconds. */
const text = (body: string, type: string, maxAge: number): Response =>
  new Response(body, {
    headers: {
      "Content-Type": type,
      "Cache-Control": `public, max-age=${maxAge}`,
      "X-Content-Type-Options": "nosniff",
    },
  });

export const robots = (): Response => text(ROBOTS, "text/plain; charset=utf-8", 3600);

export const llms = ({ baseUrl }: Config): Response =>
  text(describeForAgents(baseUrl), "text/plain; charset=utf-8", 3600);

export const icon = (): Response => text(ICON, "image/svg+xml", 86400);

/** Shows that a host is routed to this installation. */
export const mark = ({ installation }: Pick<Config, "installation">): Response =>
  Response.json({ installation }, { headers: { "Cache-Control": "no-store" } });

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
