import { storeCookie, takeCookie } from "../shell/cookies";
import { href } from "../shell/href";
import { toOwnPath } from "../shell/layout";
import type { PageContext } from "../shell/page-request";

const RETURN_URL_COOKIE = "return-url";
const RETURN_URL_SECONDS = 15 * 60;
/**
 * The pages of workspaces. The sign-in page must not be among them: a return URL with somebody else's sign-in token would
 * be followed at once.
 */
const WORKSPACE_PAGE = /^\/app\/(?!sign-(?:in|out)(?:[/?]|$))[^/?%]*(?:[/?]|$)/;

/** A cookie holds 4,096 bytes, with its name and attributes. An address to shorten is encoded twice in it. */
const MAX_COOKIE_CHARACTERS = 3_900;

function toReturnUrl(c: PageContext, sent: string | undefined): string | undefined {
  const url = toOwnPath(c, sent, (path) => WORKSPACE_PAGE.test(path), MAX_COOKIE_CHARACTERS);
  return url !== undefined && encodeURIComponent(url).length <= MAX_COOKIE_CHARACTERS ? url : undefined;
}

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
