import { setCookie } from "hono/cookie";
import type { PageContext } from "./request";

export const COOKIE_OPTIONS = { path: "/", secure: true, httpOnly: true, sameSite: "Lax" } as const;

export const deleteCookie = (c: PageContext, name: string): void =>
  setCookie(c, name, "", { ...COOKIE_OPTIONS, maxAge: 0 });
