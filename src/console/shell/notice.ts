import { getCookie, setCookie } from "hono/cookie";
import { COOKIE_OPTIONS, deleteCookie } from "./cookies";
import type { PageContext } from "./request";

const NOTICE_COOKIE = "__Host-notice";
const UNDO_COOKIE = "__Host-undo";
const NOTICE_SECONDS = 60;

/** Redirects after an action. The next page shows the notice once, with a button to undo the operation if one is given. */
export function redirectWithNotice(c: PageContext, to: string, notice: string, operation?: string): Response {
  const options = { ...COOKIE_OPTIONS, maxAge: NOTICE_SECONDS };
  setCookie(c, NOTICE_COOKIE, notice, options);
  if (operation === undefined) deleteCookie(c, UNDO_COOKIE);
  else setCookie(c, UNDO_COOKIE, operation, options);
  return c.redirect(to, 303);
}

/** Takes a cookie, which is deleted. */
function take(c: PageContext, name: string): string | undefined {
  const value = getCookie(c, name);
  if (value !== undefined) deleteCookie(c, name);
  return value;
}

/** The notice of the previous action. */
export const takeNotice = (c: PageContext): string | undefined => take(c, NOTICE_COOKIE);

/** The operation that the previous action can be undone by. */
export const takeUndo = (c: PageContext): string | undefined => take(c, UNDO_COOKIE);
