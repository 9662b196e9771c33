import { ServiceError } from "../errors";
import {
  ownPreviewPage,
  PAGE_POLICY,
  tooManyPage,
  unavailablePage,
  wrongMethodPage,
} from "../http/site/site-pages";
import type { CachedPreview } from "./slugs/cache";

/** Headers may have 128 KB. Clients send much less. */
const MAX_ACCEPT_CHARACTERS = 1024;
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json$/;
const REFUSED = /^\s*q\s*=\s*0(?:\.0*)?\s*$/i;

/** Whether a client accepts JSON and no page, or refuses pages by `text/html;q=0`. */
export function wantsJson(request: Request): boolean {
  const accept = request.headers.get("accept")?.slice(0, MAX_ACCEPT_CHARACTERS) ?? "";
  const accepted = new Map<string, boolean>();
  for (const part of accept.split(",")) {
    const [range = "", ...parameters] = part.split(";");
    const type = range.trim().toLowerCase();
    const name = JSON_TYPE.test(type) ? "json" : type;
    const isAccepted = !parameters.some((parameter) => REFUSED.test(parameter));
    accepted.set(name, accepted.get(name) === true || isAccepted);
  }
  const html = accepted.get("text/html");
  if (html !== undefined) return !html;
  return accepted.get("json") === true && accepted.get("*/*") !== true;
}

const pageHeaders = (type: string): Headers =>
  new Headers({
    "Content-Type": type,
    "Cache-Control": "private, no-store",
    "Content-Security-Policy": PAGE_POLICY,
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Robots-Tag": "noindex",
    Vary: "Accept, Accept-Language",
  });

// Built once, because copying Headers is faster than building them.
const HTML_HEADERS = pageHeaders("text/html; charset=utf-8");
const JSON_HEADERS = pageHeaders("application/json");
const redirectHeaders = (cache?: string): Headers =>
  new Headers({
    "Cache-Control": "private, no-store",
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "X-Robots-Tag": "noindex",
    ...(cache !== undefined && { "X-Cache": cache }),
  });
const REDIRECT_HEADERS = redirectHeaders();
const HIT_HEADERS = redirectHeaders("hit");

export function answer(
  request: Request,
  status: number,
  message: string,
  html: BodyInit,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const json = wantsJson(request);
  const body = request.method === "HEAD" ? null : json ? JSON.stringify({ message }) : html;
  const response = new Response(body, { status, headers: json ? JSON_HEADERS : HTML_HEADERS });
  for (const name in headers) response.headers.set(name, headers[name] ?? "");
  return response;
}

/** What a chat or a network shows. It leads nowhere. */
export const ownPreview = (request: Request, preview: CachedPreview): Response =>
  answer(request, 200, preview.title ?? "A short link.", ownPreviewPage(preview));

export const wrongMethod = (request: Request): Response =>
  answer(request, 405, "Method not allowed.", wrongMethodPage(), { Allow: "GET, HEAD" });

export const tooManyUnknown = (request: Request): Response =>
  answer(request, 429, "Too Many Attempts.", tooManyPage(), { "Retry-After": "60" });

/** `reason` is why D1 does not answer: on the day's limit it says when to come back. */
export function unavailable(request: Request, reason: unknown): Response {
  const { "Retry-After": after = "5" } = reason instanceof ServiceError ? reason.headers : {};
  return answer(request, 503, "Service temporarily unavailable.", unavailablePage(), {
    "Retry-After": after,
  });
}

/** A 302 that no cache may keep, because the link can change at any time. */
export function redirectTo(target: string, cache?: string): Response {
  const isHit = cache === "hit";
  const response = new Response(null, { status: 302, headers: isHit ? HIT_HEADERS : REDIRECT_HEADERS });
  response.headers.set("Location", target);
  if (cache !== undefined && !isHit) response.headers.set("X-Cache", cache);
  return response;
}
