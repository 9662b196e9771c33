import { etagOf, parseEntityTags } from "../../lib/etag";
import { ownerOf } from "../../lib/external-id";
import { storedId } from "../../lib/ulid-text";
import { findOwnLastOperation } from "../../resources/audit/audit-service";
import { toConform } from "../../resources/links/link-conventions";
import { getLinkDetails } from "../../resources/links/link-details";
import { updateLinkForm } from "../../resources/links/link-schema";
import { updateLink } from "../../resources/links/update-link";
import { href } from "../shell/href";
import { Page, redirectWithNotice } from "../shell/layout";
import { checked, type Form, type PageContext } from "../shell/page-request";
import { saysDamage } from "./address-notes";
import { newTagsIn, readChoices } from "./choices";
import { changesIn, draftBefore, draftIn, draftOf, EMPTY_DRAFT, toInput, typedOver } from "./draft";
import { LinkFields } from "./link-fields-form";
import { nameOf } from "./link-text";

export async function showEdit(c: PageContext): Promise<Response> {
  const { ctx, workspace, form, problem } = c.var;
  const id = c.req.param("id");
  const typed = form && draftIn(form);
  const [details, choices] = await Promise.all([
    getLinkDetails(ctx, id),
    readChoices(ctx, typed ?? EMPTY_DRAFT, storedId(id)),
  ]);
  const { link } = details;
  const owner = ownerOf(link.external_id);
  const now = draftOf(details, ctx.workspace.timeZone);
  const before = form && draftBefore(form);
  // A stale form is loaded again with the current link. The fields that the person changed stay.
  const isStale = problem?.status === 412;
  const isLoaded = form === undefined || isStale;
  const was = isLoaded ? now : (before ?? now);
  const draft = typed === undefined ? now : isStale ? typedOver(typed, before, now) : typed;
  return c.render(
    <Page
      title={`Edit ${nameOf(link)}`}
      section="links"
      crumbs={["links", { label: nameOf(link), href: href.link(workspace, link.id) }]}
      saysRefusal
    >
      {owner !== undefined && (
        <p class="warning">
          <bdi>{owner}</bdi>, a file of links or a program, manages this link by its external ID. It may undo
          what you change here, so change it there.
        </p>
      )}
      <LinkFields
        action={href.editLink(workspace, link.id)}
        cancel={href.link(workspace, link.id)}
        draft={draft}
        choices={choices}
        edited={{ details, was, etag: isLoaded ? await etagOf(link) : (form.fields["etag"] ?? "") }}
      />
    </Page>,
  );
}

export async function saveLink(c: PageContext, form: Form): Promise<Response> {
  const { ctx, workspace } = c.var;
  if (form.fields["preview"] !== undefined) return showEdit(c);
  const draft = draftIn(form);
  const was = draftBefore(form);
  const changes = toInput(changesIn(draft, was), ctx.workspace.timeZone);
  const input = await toConform(ctx, checked(updateLinkForm, changes));
  const link = await updateLink(
    { ...ctx, ifMatch: parseEntityTags(form.fields["etag"] ?? "") },
    c.req.param("id"),
    { ...input, ...(await newTagsIn(ctx, draft)) },
  );
  const renamed = was !== undefined && was.slug !== link.slug && was.slug !== "";
  return redirectWithNotice(
    c,
    href.link(workspace, link.id),
    `Saved.${renamed ? ` The old slug ${was.slug} goes on leading here.` : ""}${saysDamage(input.destination_url)}`,
    await findOwnLastOperation(ctx, link.id),
  );
}
