import {
  createReceiver,
  listReceivers,
  MAX_RECEIVERS,
  type Receiver,
} from "../../resources/events/receivers";
import type { Repeat } from "../shell/answer-form";
import { ButtonLink, Copied } from "../shell/button";
import { href } from "../shell/href";
import { Notice, Page, redirectWithNotice } from "../shell/layout";
import type { Form, PageContext } from "../shell/page-request";
import { Table } from "../shell/table";
import { Badge, Card, count } from "../shell/text";
import { ReceiverForm, readReceiver } from "./receiver-form";

/** On, off, stopped by the service, or failing. */
export const stateOf = ({ is_on: isOn, switched_off_by: by, failing_since: since }: Receiver): string => {
  if (!isOn) return by === null ? "off" : "switched_off";
  return since === null ? "on" : "failing";
};

export async function showReceivers(c: PageContext): Promise<Response> {
  const { ctx, workspace } = c.var;
  const receivers = await listReceivers(ctx);
  return c.render(
    <Page title="Receivers" section="receivers">
      <p>
        Tell another system what happens here. Each message is posted to its URL, signed as{" "}
        <a href="https://www.standardwebhooks.com" rel="noopener noreferrer">
          Standard Webhooks
        </a>
        . <a href="/docs/automate#receivers">How to receive one</a>
      </p>
      {receivers.length > 0 && (
        <Table
          caption={count(receivers.length, "receiver")}
          rows={receivers}
          columns={[
            {
              heading: "URL",
              isName: true,
              cell: ({ id, name }) => <a href={href.receiver(workspace, id)}>{name}</a>,
            },
            { heading: "State", cell: (receiver) => <Badge of={stateOf(receiver)} /> },
            { heading: "Events", kind: "labelled", cell: ({ kinds }) => count(kinds.length, "kind") },
          ]}
        />
      )}
      <Card id="new-receiver" title="Add a receiver">
        <ReceiverForm action={href.receivers(workspace)} button="Add" />
        <p class="hint">
          A workspace has at most {MAX_RECEIVERS}. The secret is shown once, on the page that follows.
        </p>
      </Card>
    </Page>,
  );
}

/** The form was sent before, and the secret was shown then. */
export const redirectToReceiver: Repeat = (c, { subject }) =>
  redirectWithNotice(
    c,
    href.receiver(c.var.workspace, subject),
    "The receiver was added when this form was sent first, and its secret was shown then. If you have not copied it, remove the receiver and add it again.",
  );

export async function addReceiver(c: PageContext, form: Form): Promise<Response> {
  const { workspace, ctx } = c.var;
  const { id, name, secret } = await createReceiver(ctx, readReceiver(form, true));
  return c.render(
    <Page title="Your new receiver" section="receivers" crumbs={["receivers"]}>
      <div class="narrow" data-forgets-form={href.receivers(workspace)}>
        <Notice text={`The receiver at ${name} is added.`} />
        <Card id="secret" title="Copy its secret now">
          <p>It is shown only now. With it your program verifies that a message is from here.</p>
          <Copied text={secret} label="Copy the secret" />
        </Card>
        <p>
          <ButtonLink to={href.receiver(workspace, id)} label="I have copied it" />
        </p>
      </div>
    </Page>,
  );
}
