import type { Hono } from "hono";
import { allActivityGroups } from "../../activity-groups/manage";
import { etagOf } from "../../lib/etag";
import { listChannels } from "../../links/channels";
import { createLink } from "../../links/create";
import { getLinkDetails, type LinkDetails } from "../../links/details";
import { isBlockedDestination } from "../../links/preview";
import { createLinkSchema, editLinkSchema } from "../../links/schema";
import { updateLink } from "../../links/update";
import { listTags } from "../../tags/service";
import { editorsOnly } from "../auth/permissions";
import { href, paths } from "../href";
import { showPage } from "../shell/layout";
import { redirectWithNotice } from "../shell/notice";
import { type Problem, toProblem } from "../shell/problem";
import { type ConsoleEnv, checked, type PageContext, readForm } from "../shell/request";
import {
  changesIn,
  type Draft,
  draftBefore,
  draftIn,
  draftOf,
  emptyDraft,
  previewOf,
  typedOver,
} from "./draft";
import { type Choices, LinkFields } from "./fields";
import { nameOf } from "./link-text";
import { PreviewBody } from "./preview";

async function readChoices({ var: { ctx } }: PageContext): Promise<Choices> {
  const [tags, groups, channels] = await Promise.all([
    listTags(ctx),
    allActivityGroups(ctx),
    listChannels(ctx),
  ]);
  return { tags, groups, channels };
}

/** The form of a new link; its group may be named by id or slug. */
async function showNew(c: PageContext, typed: Draft, problem?: Problem): Promise<Response> {
  const { ctx, membership } = c.var;
  const workspace = membership.workspace.slug;
  const [choices, isBlocked] = await Promise.all([
    readChoices(c),
    isBlockedDestination(ctx, typed.destination_url),
  ]);
  const asked = typed.activity_group_id;
  const group = choices.groups.find(({ id, slug }) => id === asked.toUpperCase() || slug === asked);
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

/** What an edit form is shown with again: what was typed in it, and what it was made of. */
interface Typed {
  draft: Draft;
  was: Draft | undefined;
  /** Of the link that the form was made of. */
  etag: string;
  problem?: Problem;
}

const STALE =
  "The link has changed meanwhile, so nothing is saved yet. What you have changed is still here, and the rest shows the link as it is now. Save again to change it all the same.";

async function showEdit(c: PageContext, id: string, typed?: Typed): Promise<Response> {
  const { ctx, membership } = c.var;
  const workspace = membership.workspace.slug;
  const [details, choices, isBlocked]: [LinkDetails, Choices, boolean] = await Promise.all([
    getLinkDetails(ctx, id),
    readChoices(c),
    isBlockedDestination(ctx, typed?.draft.destination_url ?? ""),
  ]);
  const { link } = details;
  const problem = typed?.problem;
  const isStale = problem?.status === 412;
  const now = draftOf(details);
  // A form that is stale begins anew, with what was changed in it; any other goes on as it was.
  const was = typed === undefined || isStale ? now : (typed.was ?? now);
  const draft = typed === undefined ? now : isStale ? typedOver(typed.draft, typed.was, now) : typed.draft;
  const etag = typed === undefined || isStale ? await etagOf(link) : typed.etag;
  return showPage(
    c,
    {
      title: `Edit ${nameOf(link)}`,
      section: "links",
      status: problem === undefined ? 200 : isStale ? 412 : 422,
    },
    <LinkFields
      workspace={workspace}
      action={href.editLink(workspace, link.id)}
      draft={draft}
      choices={choices}
      preview={previewOf(
        draft,
        was,
        choices.groups,
        {
          own: ctx.config.ownHosts,
          isBlocked: isBlocked && draft.destination_url === typed?.draft.destination_url,
        },
        details,
      )}
      problem={isStale ? { ...problem, message: STALE } : problem}
      link={{
        id: link.id,
        etag,
        was,
        short_url: link.short_url,
        keepsSlug: details.stopped_by === "operator",
      }}
    />,
  );
}

/** The forms by which a link is made and edited, and the preview that they show. */
export function registerLinkForm(app: Hono<ConsoleEnv>): void {
  app.get(paths.newLink, editorsOnly, (c) => showNew(c, emptyDraft(c.req.query("activity_group_id"))));

  app.post(paths.newLink, editorsOnly, async (c) => {
    const form = await readForm(c);
    const draft = draftIn(form);
    if (form.fields["preview"] !== undefined) return showNew(c, draft);
    try {
      const link = await createLink(c.var.ctx, checked(createLinkSchema, draft));
      return redirectWithNotice(
        c,
        href.link(c.var.membership.workspace.slug, link.id),
        `The link ${link.short_url} is ready.`,
      );
    } catch (error) {
      return showNew(c, draft, toProblem(error));
    }
  });

  app.post(paths.linkPreview, editorsOnly, async (c) => {
    const { ctx } = c.var;
    const form = await readForm(c);
    const id = form.fields["link"];
    const draft = draftIn(form);
    const [groups, isBlocked, present] = await Promise.all([
      allActivityGroups(ctx),
      isBlockedDestination(ctx, draft.destination_url),
      id === undefined ? undefined : getLinkDetails(ctx, id),
    ]);
    const hosts = { own: ctx.config.ownHosts, isBlocked };
    const preview = previewOf(draft, draftBefore(form), groups, hosts, present);
    return c.html(<PreviewBody preview={preview} />);
  });

  app.get(paths.editLink, editorsOnly, (c) => showEdit(c, c.req.param("id")));

  app.post(paths.editLink, editorsOnly, async (c) => {
    const id = c.req.param("id");
    const form = await readForm(c);
    const draft = draftIn(form);
    const was = draftBefore(form);
    const etag = form.fields["etag"] ?? "";
    if (form.fields["preview"] !== undefined) return showEdit(c, id, { draft, was, etag });
    try {
      const link = await updateLink(
        { ...c.var.ctx, ifMatch: etag },
        id,
        checked(editLinkSchema, changesIn(draft, was)),
      );
      const renamed = was !== undefined && was.slug !== link.slug && was.slug !== "";
      return redirectWithNotice(
        c,
        href.link(c.var.membership.workspace.slug, link.id),
        renamed ? `Saved. The old slug ${was.slug} goes on leading here.` : "Saved.",
      );
    } catch (error) {
      const problem = toProblem(error);
      if (problem.status === 404) throw error;
      return showEdit(c, id, { draft, was, etag, problem });
    }
  });
}
