import type { Hono } from "hono";
import { href } from "./href";
import { kept, linksQuery } from "./links/query";
import { type ConsoleEnv, readQuery } from "./shell/request";

type Way = (workspace: string, named: string) => string;

/** Where a form stands whose own address has no page. */
const WAYS: Readonly<Record<string, Way>> = {
  "links/:named/status": href.link,
  "links/:named/drop-slug": href.link,
  "links/:named/delete": href.link,
  "groups/:named/status": (workspace, named) => href.group(workspace, named),
  "import/:named/go-on": (workspace, named) => href.oneImport(workspace, named),
  "import/:named/discard": (workspace, named) => href.oneImport(workspace, named),
  "tags/:named/merge": href.tag,
  "tags/:named/delete": href.tag,
  "assets/:named/status": href.asset,
  "keys/:named/revoke": href.keys,
  "members/:named": href.members,
  "members/:named/remove": href.members,
};

/** Leads whoever enters the address of a refused form once more to the page of that form. */
export function registerWaysBack(app: Hono<ConsoleEnv>): void {
  app.get("/app/:workspace/links/change", (c) =>
    c.redirect(href.links(c.var.membership.workspace.slug, kept(readQuery(linksQuery, c))), 303),
  );
  for (const [form, way] of Object.entries(WAYS)) {
    app.get(`/app/:workspace/${form}`, (c) =>
      c.redirect(way(c.var.membership.workspace.slug, c.req.param("named") ?? ""), 303),
    );
  }
}
