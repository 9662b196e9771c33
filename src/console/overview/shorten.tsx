import { damageOf } from "../../lib/damaged-address";
import { supplyScheme } from "../../lib/supplied-scheme";
import { createLink } from "../../resources/links/create-link";
import { createLinkSchema, type Link } from "../../resources/links/link-schema";
import { rangeParameters, readRange } from "../clicks/range";
import { CopyButton } from "../links/link-text";
import { Button } from "../shell/button";
import { here, href, thisPage } from "../shell/href";
import { checked, type Form, type PageContext } from "../shell/page-request";
import { Field, HiddenFields, PostForm } from "../shell/post-form";
import { Card } from "../shell/text";

/** What to do first in a workspace without links. The field above shortens the first one. */
export const Welcome = ({ isOwner }: { isOwner: boolean }) => (
  <Card id="welcome" title="Start here">
    <ol class="steps">
      <li>
        <strong>Shorten your first link</strong>: paste an address above, or{" "}
        <a href={here.newLink()}>choose its slug, tags and UTM values</a>.
      </li>
      <li>
        <strong>Bring the links that you have</strong>: <a href={here.imports()}>import a file</a> from Bitly,
        Rebrandly, Short.io, Shlink, Dub, Kutt, YOURLS or a spreadsheet.
      </li>
      {isOwner && (
        <li>
          <strong>Invite the others</strong>: <a href={here.members()}>invite people</a> who look or edit.
        </li>
      )}
    </ol>
    <p class="soft">Clicks and scans show up here within a minute.</p>
  </Card>
);

/** Shortens a pasted address at once, or takes it on to the form of a new link, with its parts open. */
export const Shorten = () => (
  <PostForm action={thisPage()} class="card search shorten">
    <Field
      name="destination_url"
      label="Shorten a link"
      type="address"
      required
      attributes={{ placeholder: "Paste an address" }}
    />
    <Button label="Shorten" kind="primary" />
    <HiddenFields fields={{ open: ["naming", "utm"] }} />
    <Button label="More options" name="preview" value="1" formaction={here.newLink()} formnovalidate />
  </PostForm>
);

export const Shortened = ({ link }: { link: Link }) => {
  const damage = damageOf(link.destination_url);
  return (
    <section class="notice shortened" role="status" tabindex={-1} aria-label="The new link">
      <p class="row">
        <strong class="short-url" data-by-hand="">
          {link.short_url}
        </strong>
        <CopyButton text={link.short_url} />
      </p>
      <p class="row small">
        <span>
          leads to <bdi>{link.destination_url}</bdi>
        </span>
      </p>
      {damage && (
        <p class="warning">
          {damage.says.join(" ")} <a href={here.editLink(link.id)}>Mend it</a>
        </p>
      )}
      <p class="row">
        <a href={here.link(link.id)}>Open the link’s page</a>
        <a href={here.editLink(link.id)}>Edit</a>
        <a href={here.qr(link.id, { download: "1" })}>Download QR code (SVG)</a>
      </p>
    </section>
  );
};

export async function shorten(c: PageContext, { fields }: Form): Promise<Response> {
  const { ctx, workspace } = c.var;
  const input = checked(createLinkSchema, { destination_url: supplyScheme(fields["destination_url"] ?? "") });
  const link = await createLink(ctx, input);
  const shown = readRange(c, ctx.workspace.createdAt);
  return c.redirect(href.workspace(workspace, { ...rangeParameters(shown), made: link.id }), 303);
}
