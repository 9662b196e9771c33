import { getCookie } from "hono/cookie";
import { SESSION_SECONDS } from "../../access/sessions";
import { deleteCookie, storeCookie } from "../shell/cookies";
import type { PageContext } from "../shell/request";

const SESSION_COOKIE = "__Host-session";

export const readSession = (c: PageContext): string | undefined => getCookie(c, SESSION_COOKIE);

export const storeSession = (c: PageContext, session: string): void =>
  storeCookie(c, SESSION_COOKIE, session, SESSION_SECONDS);

export const forgetSession = (c: PageContext): void => deleteCookie(c, SESSION_COOKIE);
