import { replaceSecret } from "../../resources/events/receivers";
import type { Repeat } from "../shell/answer-form";
import { ButtonLink, Copied } from "../shell/button";
import { Dangerous } from "../shell/dangerous";
import { here, href } from "../shell/href";
import { Notice, Page, redirectWithNotice } from "../shell/layout";
import type { PageContext } from "../shell/page-request";
import { Card, quoted } from "../shell/text";

export const SecretCard = ({ id }: { id: string }) => (
  <Card id="secret" title="Secret">
    <p>
      Every message is signed with the secret of this receiver, which was shown once. If it is lost, or
      somebody else has seen it, make a new one.
    </p>
    <Dangerous
      summary="Make a new secret"
      consequence="Messages are signed with the new secret from now on, and the old one is of no use any more. What the other system refuses until it has the new secret is sent again."
      action={here.replaceSecret(id)}
      button="Make a new secret"
    />
  </Card>
);

/** The only page that shows a secret. */
export const showSecret = (
  c: PageContext,
  { id, secret }: { id: string; secret: string },
  { title, notice }: { title: string; notice: string },
): Response | Promise<Response> => {
  const { workspace } = c.var;
  return c.render(
    <Page title={title} section="receivers" crumbs={["receivers"]}>
      <div class="narrow" data-forgets-form={href.receivers(workspace)}>
        <Notice text={notice} />
        <Card id="secret" title="Copy its secret now">
          <p>
            It is shown only now. Give it to whoever runs the other system: with it they verify that a message
            is from here. <a href="/docs/automate#receivers">How to receive a message</a>
          </p>
          <Copied text={secret} label="Copy the secret" />
        </Card>
        <p>
          <ButtonLink to={href.receiver(workspace, id)} label="I have copied it" />
        </p>
        <p class="hint">Next, send a test: it shows what the other system answers.</p>
      </div>
    </Page>,
  );
};

export async function makeSecret(c: PageContext): Promise<Response> {
  const made = await replaceSecret(c.var.ctx, c.req.param("id"));
  const notice = `${quoted(made.name)} has a new secret.`;
  return showSecret(c, made, { title: "A new secret", notice });
}

/** A form of a secret was sent before, and the secret was shown then. */
export const redirectToReceiver: Repeat = (c, { subject }) =>
  redirectWithNotice(
    c,
    href.receiver(c.var.workspace, subject),
    "This form was sent twice. Its secret was shown the first time only. If you have not copied it, make a new one below.",
  );
