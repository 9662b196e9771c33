import type { Hono } from "hono";
import { href, paths } from "./href";
import { linksQuery, toLinksQuery } from "./links/query";
import { type ConsoleEnv, readQuery } from "./shell/request";

type PageOf = (workspace: string, id: string) => string;

/** Addresses that only take a form, with the page that the form is on. */
const PAGES = new Map<string, PageOf>([
  [paths.linkStatus, href.link],
  [paths.dropSlug, href.link],
  [paths.deleteLink, href.link],
  [paths.groupStatus, href.group],
  [paths.continueImport, href.import],
  [paths.discardImport, href.import],
  [paths.undoImport, href.import],
  [paths.restoreImport, href.import],
  [paths.mergeTag, href.tag],
  [paths.deleteTag, href.tag],
  [paths.assetStatus, href.asset],
  [paths.moveAsset, href.asset],
  [paths.revokeKey, (workspace) => href.keys(workspace)],
  [paths.checkDomain, href.domain],
  [paths.primaryDomain, href.domain],
  [paths.removeDomain, href.domain],
  [paths.member, (workspace) => href.members(workspace)],
  [paths.memberLink, (workspace) => href.members(workspace)],
  [paths.removeMember, (workspace) => href.members(workspace)],
  [paths.undoChange, (workspace) => href.audit(workspace)],
]);

export const FORM_PATHS: ReadonlySet<string> = new Set(PAGES.keys());

/** A refused form leaves its address in the address bar. Loading that address again redirects to the form's page. */
export function registerFormRedirects(app: Hono<ConsoleEnv>): void {
  app.get(paths.changeLinks, (c) =>
    c.redirect(href.links(c.var.workspace, toLinksQuery(readQuery(linksQuery, c))), 303),
  );
  for (const [path, pageOf] of PAGES) {
    app.get(path, (c) => {
      const id = c.req.param("id") ?? c.req.param("email") ?? c.req.param("host") ?? "";
      return c.redirect(pageOf(c.var.workspace, id), 303);
    });
  }
}
