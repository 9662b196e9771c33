import type { Config } from "../context";
import {
  PAGE_POLICY,
  takenDownPage,
  tooManyPage,
  unavailablePage,
  unknownLinkPage,
  wrongMethodPage,
} from "./pages";

// What a visitor's request can be answered with, apart from the redirect itself.

const jsonAlone = (request: Request): boolean => {
  const accept = request.headers.get("accept") ?? "";
  return /\bapplication\/(?:[\w.+-]+\+)?json\b/i.test(accept) && !/text\/html|\*\/\*/i.test(accept);
};

function answer(
  request: Request,
  status: number,
  message: string,
  html: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const json = jsonAlone(request);
  return new Response(request.method === "HEAD" ? null : json ? JSON.stringify({ message }) : html, {
    status,
    headers: {
      "Content-Type": json ? "application/json" : "text/html; charset=utf-8",
      "Cache-Control": "private, no-store",
      "Content-Security-Policy": PAGE_POLICY,
      "Referrer-Policy": "strict-origin-when-cross-origin",
      "X-Content-Type-Options": "nosniff",
      "X-Robots-Tag": "noindex",
      Vary: "Accept",
      ...headers,
    },
  });
}

export const unknownLink = (request: Request): Response =>
  answer(request, 404, "Not found.", unknownLinkPage());

export const takenDown = (request: Request, config: Config): Response =>
  answer(request, 404, "This link was taken down.", takenDownPage(config.abuseContact));

export const wrongMethod = (request: Request): Response =>
  answer(request, 405, "Method not allowed.", wrongMethodPage(), { Allow: "GET, HEAD" });

export const tooManyUnknown = (request: Request): Response =>
  answer(request, 429, "Too Many Attempts.", tooManyPage(), { "Retry-After": "60" });

export const unavailable = (request: Request): Response =>
  answer(request, 503, "Service temporarily unavailable.", unavailablePage(), { "Retry-After": "5" });

/** The redirect. A 302 that no cache may keep: the link can change at any moment. */
export const redirectTo = (target: string, cache: string): Response =>
  new Response(null, {
    status: 302,
    headers: {
      Location: target,
      "Cache-Control": "private, no-store",
      "Referrer-Policy": "strict-origin-when-cross-origin",
      "X-Robots-Tag": "noindex",
      "X-Cache": cache,
    },
  });
