import type { Env } from "../../context";

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** Files in a folder with a version never change. */
const VERSIONED = /-\d{1,4}\.\d{1,4}\.\d{1,4}\//;

/**
 * The static file at a path, as 200 or 304, or undefined if there is none. A path without a dot is a page, stored with
 * `.html`. The path with `.html` is not served.
 */
export async function staticFile(request: Request, path: string, env: Env): Promise<Response | undefined> {
  if (path.endsWith(".html")) return undefined;
  const isPage = !path.includes(".");
  const known = request.headers.get("if-none-match");
  const file = await env.ASSETS?.fetch(new URL(isPage ? `${path}.html` : path, request.url), {
    headers: known === null ? {} : { "If-None-Match": known },
  });
  if (file === undefined || (file.status !== 200 && file.status !== 304)) {
    await file?.body?.cancel();
    return undefined;
  }
  const response = new Response(file.body, file);
  response.headers.set(
    "Cache-Control",
    VERSIONED.test(path) ? "public, max-age=31536000, immutable" : "no-cache",
  );
  response.headers.set("X-Content-Type-Options", "nosniff");
  response.headers.set("Referrer-Policy", "no-referrer");
  if (isPage) response.headers.set("Content-Security-Policy", POLICY);
  return response;
}
