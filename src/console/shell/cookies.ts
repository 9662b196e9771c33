import { getCookie, setCookie } from "hono/cookie";
import { isLoopback } from "../../resources/destinations/outside";
import type { PageContext } from "./page-request";

/**
 * What the names of cookies begin with at a URL. Over https only this host can set `__Host-` cookies, and no others are read.
 * Safari keeps no secure cookie over http, so a loopback host has plain ones. Over http no other host has any.
 */
function prefixAt(url: string): "__Host-" | "local-" | undefined {
  const { protocol, hostname } = new URL(url);
  if (protocol === "https:") return "__Host-";
  return isLoopback(hostname) ? "local-" : undefined;
}

/** Whether a browser keeps cookies of the request's address. */
export const keepsCookies = (c: PageContext): boolean => prefixAt(c.req.url) !== undefined;

export function readCookie(c: PageContext, name: string): string | undefined {
  const prefix = prefixAt(c.req.url);
  return prefix === undefined ? undefined : getCookie(c, `${prefix}${name}`);
}

export function storeCookie(c: PageContext, name: string, value: string, maxAge: number): void {
  const prefix = prefixAt(c.req.url);
  if (prefix === undefined) return;
  const secure = prefix === "__Host-";
  setCookie(c, `${prefix}${name}`, value, { path: "/", secure, httpOnly: true, sameSite: "Lax", maxAge });
}

export const deleteCookie = (c: PageContext, name: string): void => storeCookie(c, name, "", 0);

/** Takes a cookie, which is deleted. */
export function takeCookie(c: PageContext, name: string): string | undefined {
  const value = readCookie(c, name);
  if (value !== undefined) deleteCookie(c, name);
  return value;
}
