import type { Hono } from "hono";
import { etagOf, parseEntityTags } from "../../lib/etag";
import { storedId } from "../../lib/ulid-text";
import { findOwnLastOperation } from "../../resources/audit/service";
import { getLinkDetails } from "../../resources/links/details";
import { findHostRefusal } from "../../resources/links/preview";
import { updateLinkSchema } from "../../resources/links/schema";
import { findSlugState } from "../../resources/links/slug-state";
import { updateLink } from "../../resources/links/update";
import { splitTagNames } from "../../resources/tags/create-many";
import { editorsOnly } from "../auth/permissions";
import { href, paths } from "../href";
import { showPage } from "../shell/layout";
import { redirectWithNotice } from "../shell/notice";
import { type Problem, toProblem } from "../shell/problem";
import { type ConsoleEnv, checked, type PageContext, readForm } from "../shell/request";
import { readChoices } from "./choices";
import { changesIn, type Draft, draftBefore, draftIn, draftOf, previewOf, toInput, typedOver } from "./draft";
import { LinkFields } from "./fields";
import { nameOf } from "./link-text";

/** An edit form that was sent: its fields now, and its initial fields. */
interface Typed {
  draft: Draft;
  was: Draft | undefined;
  /** Of the link that the form was loaded with. */
  etag: string;
  opened: readonly string[];
  problem?: Problem;
}

const STALE =
  "The link has changed meanwhile, so nothing is saved yet. What you have changed is still here, and the rest shows the link as it is now. Save again to change it all the same.";

const UNCHANGED = { kind: "empty" } as const;

async function showEdit(c: PageContext, id: string, typed?: Typed): Promise<Response> {
  const { ctx, workspace } = c.var;
  const [details, choices, refusal, typedSlug] = await Promise.all([
    getLinkDetails(ctx, id),
    readChoices(ctx),
    findHostRefusal(ctx, typed?.draft.destination_url ?? ""),
    findSlugState(ctx, typed?.draft.slug ?? "", storedId(id), typed?.draft.domain ?? ""),
  ]);
  const { link } = details;
  const problem = typed?.problem;
  const isStale = problem?.status === 412;
  const now = draftOf(details, ctx.workspace.timeZone);
  // A stale form is loaded again with the current link. The fields that the person changed stay.
  const was = typed === undefined || isStale ? now : (typed.was ?? now);
  const draft = typed === undefined ? now : isStale ? typedOver(typed.draft, typed.was, now) : typed.draft;
  const etag = typed === undefined || isStale ? await etagOf(link) : typed.etag;
  return showPage(
    c,
    {
      title: `Edit ${nameOf(link)}`,
      section: "links",
      crumbs: [
        { label: "Links", href: href.links(workspace) },
        { label: nameOf(link), href: href.link(workspace, link.id) },
      ],
      status: problem === undefined ? 200 : isStale ? 412 : 422,
    },
    <LinkFields
      workspace={workspace}
      shortHost={ctx.config.shortHost}
      timeZone={ctx.workspace.timeZone}
      opened={typed?.opened ?? []}
      slug={draft.slug === link.slug && draft.domain === link.domain ? UNCHANGED : typedSlug}
      action={href.editLink(workspace, link.id)}
      cancel={href.link(workspace, link.id)}
      draft={draft}
      choices={choices}
      preview={previewOf(
        draft,
        was,
        choices.groups,
        draft.destination_url === typed?.draft.destination_url ? refusal : undefined,
        details,
      )}
      problem={isStale ? { ...problem, message: STALE } : problem}
      link={{
        id: link.id,
        etag,
        was,
        keepsSlug: details.taken_down_by === "operator",
      }}
    />,
  );
}

export function registerEditLink(app: Hono<ConsoleEnv>): void {
  app.get(paths.editLink, editorsOnly, (c) => showEdit(c, c.req.param("id")));

  app.post(paths.editLink, editorsOnly, async (c) => {
    const { ctx } = c.var;
    const id = c.req.param("id");
    const form = await readForm(c);
    const draft = draftIn(form);
    const was = draftBefore(form);
    const etag = form.fields["etag"] ?? "";
    const sent = { was, etag, opened: form.all("open") };
    if (form.fields["preview"] !== undefined) return showEdit(c, id, { draft, ...sent });
    try {
      const link = await updateLink(
        { ...ctx, ifMatch: parseEntityTags(etag) },
        id,
        checked(updateLinkSchema, toInput(changesIn(draft, was), ctx.workspace.timeZone)),
        splitTagNames(draft.new_tags),
      );
      const renamed = was !== undefined && was.slug !== link.slug && was.slug !== "";
      return redirectWithNotice(
        c,
        href.link(c.var.workspace, link.id),
        renamed ? `Saved. The old slug ${was.slug} goes on leading here.` : "Saved.",
        await findOwnLastOperation(c.var.ctx, link.id),
      );
    } catch (error) {
      return showEdit(c, id, { draft, ...sent, problem: toProblem(error) });
    }
  });
}
