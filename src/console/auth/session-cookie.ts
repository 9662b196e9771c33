import { getCookie, setCookie } from "hono/cookie";
import { SESSION_SECONDS } from "../../access/sessions";
import { COOKIE_OPTIONS, deleteCookie } from "../shell/cookies";
import type { PageContext } from "../shell/request";

const SESSION_COOKIE = "__Host-session";

export const readSession = (c: PageContext): string | undefined => getCookie(c, SESSION_COOKIE);

export const storeSession = (c: PageContext, session: string): void =>
  setCookie(c, SESSION_COOKIE, session, { ...COOKIE_OPTIONS, maxAge: SESSION_SECONDS });

export const forgetSession = (c: PageContext): void => deleteCookie(c, SESSION_COOKIE);
