import { previewRevert, type Revert, revertLink } from "../../resources/links/revert/revert-link";
import { FromTo, fieldText } from "../changes/field-change";
import { ActionForm, Button } from "../shell/button";
import { sayOf } from "../shell/error-labels";
import { href } from "../shell/href";
import { Page, redirectWithNotice } from "../shell/layout";
import type { PageContext } from "../shell/page-request";
import { Card, Fact, Time } from "../shell/text";

/** What a link would become that is reverted. */
export async function showRevert(c: PageContext): Promise<Response> {
  const { ctx, workspace: slug } = c.var;
  const operation = c.req.param("operation");
  const { at, link, fields, refused } = await previewRevert(ctx, operation);
  return c.render(
    <Page
      title="Revert to an earlier state"
      section="workspace"
      actions={<a href={href.audit(slug, { subject: link.id })}>Back to its history</a>}
      class="narrow"
    >
      <p>
        The link <a href={href.link(slug, link.id)}>/{link.slug}</a> becomes what it was before the change of{" "}
        <Time at={at} exact />. Later changes are undone too.
      </p>
      {refused.length > 0 && (
        <Card id="refused" title="What cannot be reverted">
          <dl class="facts">
            {refused.map((failure) => (
              <Fact name={fieldText(failure.field)}>{sayOf(failure)}</Fact>
            ))}
          </dl>
        </Card>
      )}
      {fields.length === 0 ? (
        <p class="warning">
          {refused.length === 0
            ? "The link is already as it was then. There is nothing to revert."
            : "Nothing else is different, so there is nothing to revert."}
        </p>
      ) : (
        <Card id="changes" title="What will change">
          <dl class="facts">
            {fields.map(({ field, is, willBe }) => (
              <Fact name={fieldText(field)}>
                <FromTo field={field} was={is} is={willBe} />
              </Fact>
            ))}
          </dl>
          <ActionForm method="post" action={href.revertLink(slug, operation)} class="row">
            <Button label="Revert to this state" kind="danger" />
            <a href={href.audit(slug, { subject: link.id })}>Cancel</a>
          </ActionForm>
        </Card>
      )}
    </Page>,
  );
}

const describe = ({ link, fields, refused }: Revert): string => {
  const reverted = fields.map(({ field }) => fieldText(field)).join(", ");
  const kept = refused.map((one) => `${fieldText(one.field)} could not be reverted: ${sayOf(one)}`);
  return fields.length === 0
    ? `The link /${link.slug} was already as it was then.`
    : [`The link /${link.slug} is reverted to its earlier state: ${reverted}.`, ...kept].join(" ");
};

/** Reverts a link to its state before a change. */
export async function revert(c: PageContext): Promise<Response> {
  const result = await revertLink(c.var.ctx, c.req.param("operation"));
  const history = href.audit(c.var.workspace, { subject: result.link.id });
  return redirectWithNotice(c, history, describe(result));
}
