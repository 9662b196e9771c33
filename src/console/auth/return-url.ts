import { storeCookie, takeCookie } from "../shell/cookies";
import { href } from "../shell/href";
import type { PageContext } from "../shell/request";

const RETURN_URL_COOKIE = "return-url";
/** As long as a sign-in link works. */
const RETURN_URL_SECONDS = 15 * 60;
/** A cookie holds 4,096 bytes. */
const MAX_RETURN_URL_CHARACTERS = 1_000;
/**
 * The pages of workspaces. The sign-in page must not be among them: a return URL with somebody else's sign-in token would
 * be followed at once.
 */
const WORKSPACE_PAGE = /^\/app\/(?!sign-(?:in|out)(?:[/?]|$))[^/?%]*(?:[/?]|$)/;

/** The path and query, if it is a page of a workspace. */
function toReturnUrl(c: PageContext, text: string | undefined): string | undefined {
  if (text === undefined || text.length > MAX_RETURN_URL_CHARACTERS || !WORKSPACE_PAGE.test(text)) {
    return undefined;
  }
  const { pathname, search } = new URL(text, c.req.url);
  // `..` in the text may lead out of the web application.
  const path = `${pathname}${search}`;
  return WORKSPACE_PAGE.test(path) ? path : undefined;
}

/** The sign-in page, with the page of this request as the return URL. */
export function signInUrl(c: PageContext): string {
  const { pathname, search } = new URL(c.req.url);
  return href.signIn({ to: toReturnUrl(c, `${pathname}${search}`) });
}

/** Stores the return URL of the sign-in page in a cookie until the person uses a sign-in link. */
export function rememberReturnUrl(c: PageContext): void {
  const url = toReturnUrl(c, c.req.query("to"));
  if (url !== undefined) storeCookie(c, RETURN_URL_COOKIE, url, RETURN_URL_SECONDS);
}

/** The stored return URL, else the home page; deletes the cookie. */
export const takeReturnUrl = (c: PageContext): string =>
  toReturnUrl(c, takeCookie(c, RETURN_URL_COOKIE)) ?? href.home();
