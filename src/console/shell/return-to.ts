import { href } from "./href";
import type { PageContext } from "./request";

const MAX_CHARACTERS = 1_000;

/** A page of this workspace that a form asks to return to; undefined for any other address. */
export function toReturnPath(c: PageContext, sent = ""): string | undefined {
  const home = href.workspace(c.var.workspace);
  if (sent.length > MAX_CHARACTERS || !sent.startsWith(home)) return undefined;
  // `..` in the text may lead out of the workspace.
  const { pathname, search } = new URL(sent, c.req.url);
  return pathname === home || pathname.startsWith(`${home}/`) ? pathname + search : undefined;
}
