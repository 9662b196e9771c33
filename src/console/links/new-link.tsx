import { LABEL_FIELDS } from "../../lib/link-fields";
import { supplyScheme } from "../../lib/supplied-scheme";
import { createLink } from "../../resources/links/create-link";
import { toConform } from "../../resources/links/link-conventions";
import { getLinkDetails, type LinkDetails } from "../../resources/links/link-details";
import { createLinkForm } from "../../resources/links/link-schema";
import { here, href } from "../shell/href";
import { Notice, Page, redirectWithNotice, toReturnPath } from "../shell/layout";
import { checked, type Form, type PageContext } from "../shell/page-request";
import { saysDamage } from "./address-notes";
import { newTagsIn, readChoices } from "./choices";
import { copyOf, type Draft, draftIn, draftOf, EMPTY_DRAFT, nextAfter, toInput } from "./draft";
import { FromAnywhere } from "./from-anywhere";
import { LinkFields } from "./link-fields-form";
import { CopyButton } from "./link-text";

/** What visitors get of a link that was made, as the end of a sentence. */
function afterCreation({ activeWindow: { windowState, ends_with_group } }: LinkDetails): string {
  if (windowState === "early") return "is made, and not open yet.";
  if (windowState === "open") return "is ready.";
  return ends_with_group
    ? "is made, but has ended already, because its group has."
    : "is made, but has ended already: its end is in the past.";
}

/** The link that was made before this one. */
const Made = ({ details, details: { link } }: { details: LinkDetails }) => (
  <Notice
    text={
      <>
        The link{" "}
        <a href={here.link(link.id)} data-by-hand="">
          {link.short_url}
        </a>{" "}
        {afterCreation(details)} <CopyButton text={link.short_url} />
      </>
    }
  />
);

/** A page may have a longer title than a link. */
const shortTitle = (title: string): string =>
  [...title.trim().replace(/\s+/g, " ")].slice(0, LABEL_FIELDS.title.max).join("");

/** The form as it was sent, or as the address asks: empty, a copy of a link, or for one more link like it. */
async function readDraft(c: PageContext): Promise<{ typed: Draft; made?: LinkDetails }> {
  const { ctx, form } = c.var;
  if (form !== undefined) return { typed: draftIn(form) };
  const { from, after, activity_group_id = "", domain = "", destination = "", title = "" } = c.req.query();
  const like = from || after;
  if (!like) {
    const destination_url = supplyScheme(destination.trim());
    return {
      typed: { ...EMPTY_DRAFT, activity_group_id, domain, destination_url, title: shortTitle(title) },
    };
  }
  const details = await getLinkDetails(ctx, like);
  const draft = draftOf(details, ctx.workspace.timeZone);
  return from ? { typed: copyOf(draft) } : { typed: nextAfter(draft), made: details };
}

/** The Activity Group may be named by id or slug. */
export async function showNewLink(c: PageContext): Promise<Response> {
  const { ctx, workspace } = c.var;
  const back = toReturnPath(c, c.req.query("back"));
  const { typed, made } = await readDraft(c);
  const choices = await readChoices(ctx, typed);
  const named = typed.activity_group_id;
  const group = choices.groups.find(({ id, slug }) => id === named.toUpperCase() || slug === named);
  const draft = { ...typed, activity_group_id: group?.id ?? "" };
  return c.render(
    <Page
      title="New link"
      section="links"
      crumbs={
        back !== undefined && group !== undefined
          ? ["groups", { label: group.name, href: href.group(workspace, group.id) }]
          : ["links"]
      }
      saysRefusal
    >
      {made && <Made details={made} />}
      <LinkFields
        action={href.newLink(workspace, { back })}
        cancel={back ?? href.links(workspace)}
        draft={draft}
        choices={choices}
      />
      {c.var.form === undefined && <FromAnywhere />}
    </Page>,
  );
}

export async function makeLink(c: PageContext, form: Form): Promise<Response> {
  const { ctx, workspace } = c.var;
  if (form.fields["preview"] !== undefined) return showNewLink(c);
  const draft = draftIn(form);
  const back = toReturnPath(c, c.req.query("back"));
  const input = await toConform(ctx, checked(createLinkForm, toInput(draft, ctx.workspace.timeZone)));
  const link = await createLink(ctx, { ...input, ...(await newTagsIn(ctx, draft)) });
  if (form.fields["another"] !== undefined) {
    return c.redirect(href.newLink(workspace, { after: link.id, back }), 303);
  }
  const mayBeClosed = (link.starts_at ?? link.ends_at ?? link.activity_group) != null;
  const state = mayBeClosed ? afterCreation(await getLinkDetails(ctx, link.id)) : "is ready.";
  // The list of the group shows it first.
  const list = back && `${back}${back.includes("?") ? "&" : "?"}made=${link.id}`;
  return redirectWithNotice(
    c,
    list ?? href.link(workspace, link.id),
    `The link ${link.short_url} ${state}${saysDamage(input.destination_url)}`,
  );
}
