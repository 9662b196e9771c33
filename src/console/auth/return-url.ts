import { getCookie, setCookie } from "hono/cookie";
import { href } from "../href";
import { COOKIE, type PageContext } from "../shell/request";

const WANTED = "__Host-wanted";
/** As long as a sign-in link works. */
const WANTED_SECONDS = 15 * 60;
/** A cookie holds 4,096 bytes. */
const MOST_CHARACTERS = 1_000;
/** Never the door itself, however it is written: a sign-in link that somebody else has made would be followed at once. */
const PAGE = /^\/app\/(?!sign-(?:in|out)(?:[/?]|$))[^/?%]*(?:[/?]|$)/;

/** The path of a page of this web application; undefined where the text names anything else, elsewhere too. */
function pageNamed(c: PageContext, text: string | undefined): string | undefined {
  if (text === undefined || text.length > MOST_CHARACTERS || !PAGE.test(text)) return undefined;
  const { pathname, search } = new URL(text, c.req.url);
  // Dots in the text may have led out of the web application.
  const path = `${pathname}${search}`;
  return PAGE.test(path) ? path : undefined;
}

/** The door, for whoever asked for this page: its address says which that was. */
export function doorTo(c: PageContext): string {
  const { pathname, search } = new URL(c.req.url);
  return href.signIn({ to: pageNamed(c, `${pathname}${search}`) });
}

/** Keeps the page that the door's address names until a sign-in link is used. */
export function keepWanted(c: PageContext): void {
  const page = pageNamed(c, c.req.query("to"));
  if (page !== undefined) setCookie(c, WANTED, page, { ...COOKIE, maxAge: WANTED_SECONDS });
}

/** The page that was wanted before signing in, once; the way to a workspace where none was. */
export function takeWanted(c: PageContext): string {
  const kept = getCookie(c, WANTED);
  if (kept !== undefined) setCookie(c, WANTED, "", { ...COOKIE, maxAge: 0 });
  return pageNamed(c, kept) ?? href.home();
}
