import type { Hono } from "hono";
import { createLink } from "../../resources/links/create";
import { getLinkDetails, type LinkDetails } from "../../resources/links/details";
import { findHostRefusal } from "../../resources/links/preview";
import { createLinkSchema } from "../../resources/links/schema";
import { findSlugState } from "../../resources/links/slug-state";
import { splitTagNames } from "../../resources/tags/create-many";
import { editorsOnly } from "../auth/permissions";
import { href, paths } from "../href";
import { groupCrumbs } from "../shell/group-crumbs";
import { Notice, showPage } from "../shell/layout";
import { redirectWithNotice } from "../shell/notice";
import { type Problem, toProblem } from "../shell/problem";
import { type ConsoleEnv, checked, type PageContext, readForm } from "../shell/request";
import { toReturnPath } from "../shell/return-to";
import { readChoices } from "./choices";
import { copyOf, type Draft, draftIn, draftOf, emptyDraft, nextAfter, previewOf, toInput } from "./draft";
import { LinkFields } from "./fields";
import { CopyButton } from "./link-text";

interface Shown {
  opened?: readonly string[];
  problem?: Problem;
  /** The link that was made before this one. */
  made?: LinkDetails | undefined;
}

const Made = ({ workspace, details: { link } }: { workspace: string; details: LinkDetails }) => (
  <Notice
    text={
      <>
        The link{" "}
        <a href={href.link(workspace, link.id)} data-by-hand="">
          {link.short_url}
        </a>{" "}
        is ready. <CopyButton text={link.short_url} />
      </>
    }
  />
);

/** The Activity Group may be named by id or slug. */
async function showNew(
  c: PageContext,
  typed: Draft,
  { opened = [], problem, made }: Shown = {},
): Promise<Response> {
  const { ctx, workspace } = c.var;
  const back = toReturnPath(c, c.req.query("back"));
  const [choices, refusal, slug] = await Promise.all([
    readChoices(ctx),
    findHostRefusal(ctx, typed.destination_url),
    findSlugState(ctx, typed.slug, undefined, typed.domain),
  ]);
  const named = typed.activity_group_id;
  const group = choices.groups.find(({ id, slug }) => id === named.toUpperCase() || slug === named);
  const draft = { ...typed, activity_group_id: group?.id ?? "" };
  return showPage(
    c,
    {
      title: "New link",
      section: "links",
      crumbs:
        back !== undefined && group !== undefined
          ? groupCrumbs(workspace, group)
          : [{ label: "Links", href: href.links(workspace) }],
      status: problem === undefined ? 200 : 422,
    },
    <>
      {made && <Made workspace={workspace} details={made} />}
      <LinkFields
        workspace={workspace}
        shortHost={ctx.config.shortHost}
        timeZone={ctx.workspace.timeZone}
        action={href.newLink(workspace, { back })}
        cancel={back ?? href.links(workspace)}
        draft={draft}
        choices={choices}
        opened={opened}
        slug={slug}
        preview={previewOf(draft, undefined, choices.groups, refusal)}
        problem={problem}
      />
    </>,
  );
}

export function registerNewLink(app: Hono<ConsoleEnv>): void {
  app.get(paths.newLink, editorsOnly, async (c) => {
    const { ctx } = c.var;
    const { from, after, activity_group_id: group, domain } = c.req.query();
    const like = from || after;
    if (!like) return showNew(c, emptyDraft({ group, domain }));
    const details = await getLinkDetails(ctx, like);
    const draft = draftOf(details, ctx.workspace.timeZone);
    return from ? showNew(c, copyOf(draft)) : showNew(c, nextAfter(draft), { made: details });
  });

  app.post(paths.newLink, editorsOnly, async (c) => {
    const { ctx, workspace } = c.var;
    const form = await readForm(c);
    const draft = draftIn(form);
    const opened = form.all("open");
    const back = toReturnPath(c, c.req.query("back"));
    if (form.fields["preview"] !== undefined) return showNew(c, draft, { opened });
    try {
      const input = checked(createLinkSchema, toInput(draft, ctx.workspace.timeZone));
      const link = await createLink(ctx, input, splitTagNames(draft.new_tags));
      return form.fields["another"] === undefined
        ? redirectWithNotice(c, back ?? href.link(workspace, link.id), `The link ${link.short_url} is ready.`)
        : c.redirect(href.newLink(workspace, { after: link.id, back }), 303);
    } catch (error) {
      return showNew(c, draft, { opened, problem: toProblem(error) });
    }
  });
}
