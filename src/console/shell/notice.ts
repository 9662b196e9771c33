import { getCookie, setCookie } from "hono/cookie";
import { COOKIE_OPTIONS, deleteCookie } from "./cookies";
import type { PageContext } from "./request";

const NOTICE_COOKIE = "__Host-notice";
const NOTICE_SECONDS = 60;

/** Redirects after an action. The next page shows the notice once. */
export function redirectWithNotice(c: PageContext, to: string, notice: string): Response {
  setCookie(c, NOTICE_COOKIE, notice, { ...COOKIE_OPTIONS, maxAge: NOTICE_SECONDS });
  return c.redirect(to, 303);
}

/** The notice of the previous action; deletes its cookie. */
export function takeNotice(c: PageContext): string | undefined {
  const notice = getCookie(c, NOTICE_COOKIE);
  if (notice !== undefined) deleteCookie(c, NOTICE_COOKIE);
  return notice;
}
