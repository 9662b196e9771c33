import { deleteCookie, storeCookie, takeCookie } from "./cookies";
import type { PageContext } from "./request";

const NOTICE_COOKIE = "__Host-notice";
const UNDO_COOKIE = "__Host-undo";
const NOTICE_SECONDS = 60;

/** Redirects after an action. The next page shows the notice once, with a button to undo the operation if one is given. */
export function redirectWithNotice(c: PageContext, to: string, notice: string, operation?: string): Response {
  storeCookie(c, NOTICE_COOKIE, notice, NOTICE_SECONDS);
  if (operation === undefined) deleteCookie(c, UNDO_COOKIE);
  else storeCookie(c, UNDO_COOKIE, operation, NOTICE_SECONDS);
  return c.redirect(to, 303);
}

/** The notice of the previous action. */
export const takeNotice = (c: PageContext): string | undefined => takeCookie(c, NOTICE_COOKIE);

/** The operation that the previous action can be undone by. */
export const takeUndo = (c: PageContext): string | undefined => takeCookie(c, UNDO_COOKIE);
