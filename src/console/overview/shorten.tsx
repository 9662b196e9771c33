import type { Link } from "../../resources/links/schema";
import { href } from "../href";
import { CopyButton } from "../links/link-text";
import { Field } from "../shell/form";
import { Refusal } from "../shell/layout";
import type { Problem } from "../shell/problem";

/** Shortens a pasted address at once. */
export const Shorten = ({
  action,
  value,
  problem,
}: {
  action: string;
  value: string | undefined;
  problem: Problem | undefined;
}) => (
  <form class="card search shorten" method="post" action={action}>
    {problem?.errors["destination_url"] === undefined && <Refusal problem={problem} />}
    <Field
      label="Shorten a link"
      name="destination_url"
      value={value}
      problem={problem}
      required
      attributes={{ inputmode: "url", placeholder: "Paste an address" }}
    />
    <button type="submit" class="primary">
      Shorten
    </button>
  </form>
);

/** The link that was just made, with what one does next. */
export const Shortened = ({ workspace, link }: { workspace: string; link: Link }) => (
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
    <p class="row">
      <a href={href.link(workspace, link.id)}>Its page</a>
      <a href={href.editLink(workspace, link.id)}>Edit</a>
      <a href={href.qr(workspace, link.id, { download: "1" })}>Download QR code (SVG)</a>
    </p>
  </section>
);
