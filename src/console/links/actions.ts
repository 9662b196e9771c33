import type { Hono } from "hono";
import { z } from "zod";
import { slugKey } from "../../lib/slug-text";
import { findOwnLastOperation } from "../../resources/audit/service";
import { deleteLink } from "../../resources/links/delete";
import { dropSlug } from "../../resources/links/drop-slug";
import { updateLinkSchema } from "../../resources/links/schema";
import { updateLink } from "../../resources/links/update";
import { editorsOnly, ownersOnly } from "../auth/permissions";
import { href, paths } from "../href";
import { redirectWithNotice } from "../shell/notice";
import { toProblem } from "../shell/problem";
import { type ConsoleEnv, checked, readForm } from "../shell/request";
import { showLink } from "./detail";

const statusForm = z.object({ status: updateLinkSchema.shape.status }).required();

/** The actions on the page of a link. */
export function registerLinkActions(app: Hono<ConsoleEnv>): void {
  app.post(paths.linkStatus, editorsOnly, async (c) => {
    const { status } = checked(statusForm, (await readForm(c)).fields);
    const link = await updateLink(c.var.ctx, c.req.param("id"), { status });
    return redirectWithNotice(
      c,
      href.link(c.var.workspace, link.id),
      status === "archived"
        ? "Archived. The link goes on leading to its destination, but gives no QR code."
        : "Restored. The link is active again.",
      await findOwnLastOperation(c.var.ctx, link.id),
    );
  });

  app.post(paths.dropSlug, ownersOnly, async (c) => {
    const id = c.req.param("id");
    try {
      const { slug = "" } = (await readForm(c)).fields;
      await dropSlug(c.var.ctx, id, slug.trim());
      return redirectWithNotice(
        c,
        href.link(c.var.workspace, id),
        `The slug ${slugKey(slug.trim())} is dropped.`,
      );
    } catch (error) {
      return showLink(c, id, toProblem(error));
    }
  });

  app.post(paths.deleteLink, editorsOnly, async (c) => {
    const id = c.req.param("id");
    try {
      await deleteLink(c.var.ctx, id);
    } catch (error) {
      return showLink(c, id, toProblem(error));
    }
    return redirectWithNotice(c, href.links(c.var.workspace), "The link is deleted.");
  });
}
