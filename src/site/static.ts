import type { Env } from "../context";

/** A page loads the files of its own origin and nothing else. */
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

/** Of a folder named for a version: what is in it never changes. */
const VERSIONED = /-\d{1,4}\.\d{1,4}\.\d{1,4}\//;

/**
 * The static file at a path, 304 where the client has it, or undefined where none stands there. A path without a dot
 * is a page, kept under its name with `.html`, and has no other path.
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
