import { getCookie, setCookie } from "hono/cookie";
import type { PageContext } from "./request";

const OPTIONS = { path: "/", secure: true, httpOnly: true, sameSite: "Lax" } as const;

export const storeCookie = (c: PageContext, name: string, value: string, maxAge: number): void =>
  setCookie(c, name, value, { ...OPTIONS, maxAge });

export const deleteCookie = (c: PageContext, name: string): void => storeCookie(c, name, "", 0);

/** Takes a cookie, which is deleted. */
export function takeCookie(c: PageContext, name: string): string | undefined {
  const value = getCookie(c, name);
  if (value !== undefined) deleteCookie(c, name);
  return value;
}
