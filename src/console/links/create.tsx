import type { Hono } from "hono";
import { createLink } from "../../links/create";
import { isDestinationBlocked } from "../../links/preview";
import { createLinkSchema } from "../../links/schema";
import { editorsOnly } from "../auth/permissions";
import { href, paths } from "../href";
import { showPage } from "../shell/layout";
import { redirectWithNotice } from "../shell/notice";
import { type Problem, toProblem } from "../shell/problem";
import { type ConsoleEnv, checked, type PageContext, readForm } from "../shell/request";
import { readChoices } from "./choices";
import { type Draft, draftIn, emptyDraft, previewOf, toInput } from "./draft";
import { LinkFields } from "./fields";

/** The Activity Group may be named by id or slug. */
async function showNew(c: PageContext, typed: Draft, problem?: Problem): Promise<Response> {
  const { ctx, membership } = c.var;
  const workspace = membership.workspace.slug;
  const [choices, isBlocked] = await Promise.all([
    readChoices(ctx),
    isDestinationBlocked(ctx, typed.destination_url),
  ]);
  const named = typed.activity_group_id;
  const group = choices.groups.find(({ id, slug }) => id === named.toUpperCase() || slug === named);
  const draft = { ...typed, activity_group_id: group?.id ?? "" };
  return showPage(
    c,
    { title: "New link", section: "links", status: problem === undefined ? 200 : 422 },
    <LinkFields
      workspace={workspace}
      action={href.newLink(workspace)}
      draft={draft}
      choices={choices}
      preview={previewOf(draft, undefined, choices.groups, { own: ctx.config.ownHosts, isBlocked })}
      problem={problem}
    />,
  );
}

export function registerNewLink(app: Hono<ConsoleEnv>): void {
  app.get(paths.newLink, editorsOnly, (c) => showNew(c, emptyDraft(c.req.query("activity_group_id"))));

  app.post(paths.newLink, editorsOnly, async (c) => {
    const form = await readForm(c);
    const draft = draftIn(form);
    if (form.fields["preview"] !== undefined) return showNew(c, draft);
    try {
      const link = await createLink(c.var.ctx, checked(createLinkSchema, toInput(draft)));
      return redirectWithNotice(
        c,
        href.link(c.var.membership.workspace.slug, link.id),
        `The link ${link.short_url} is ready.`,
      );
    } catch (error) {
      return showNew(c, draft, toProblem(error));
    }
  });
}
