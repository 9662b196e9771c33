import { createReceiver, listReceivers, MAX_RECEIVERS } from "../../resources/events/receivers";
import { href } from "../shell/href";
import { Page } from "../shell/layout";
import type { Form, PageContext } from "../shell/page-request";
import { Table } from "../shell/table";
import { Badge, Card, count, Empty, NameLink, quoted, Time } from "../shell/text";
import { ReceiverForm, readReceiver } from "./receiver-form";
import { eventsText, LastDelivery, stateOf } from "./receiver-text";
import { showSecret } from "./secret";

export async function showReceivers(c: PageContext): Promise<Response> {
  const { ctx, workspace } = c.var;
  const receivers = await listReceivers(ctx);
  return c.render(
    <Page title="Receivers" section="receivers">
      {receivers.length === 0 ? (
        <Empty text="A receiver is another system, such as a CRM or Zapier, that is told at once when something happens here: a link is created, its destination breaks, a group ends.">
          <p>
            <a href="/docs/guide#receivers">What receivers hear of</a>
          </p>
        </Empty>
      ) : (
        <>
          <p>
            These systems are told when something happens here.{" "}
            <a href="/docs/automate#receivers">How to receive a message</a>
          </p>
          <Table
            caption={count(receivers.length, "receiver")}
            rows={receivers}
            columns={[
              {
                heading: "Receiver",
                isName: true,
                cell: ({ id, name, given_name: given, address }) => (
                  <>
                    <NameLink to={href.receiver(workspace, id)} name={name} />
                    {given !== null && <span class="block soft small">{address}</span>}
                  </>
                ),
              },
              {
                heading: "State",
                cell: (receiver) => {
                  const since = receiver.failing_since ?? receiver.switched_off_at;
                  return (
                    <>
                      <Badge of={stateOf(receiver)} />
                      {since !== null && (
                        <span class="soft small">
                          {" "}
                          since <Time at={since} />
                        </span>
                      )}
                    </>
                  );
                },
              },
              {
                heading: "Last delivery",
                kind: "labelled",
                cell: ({ last }) => <LastDelivery last={last} />,
              },
              { heading: "Events", kind: "labelled", cell: ({ kinds }) => eventsText(kinds) },
            ]}
          />
        </>
      )}
      <Card id="new-receiver" title="Add a receiver">
        {receivers.length >= MAX_RECEIVERS ? (
          <p>A workspace has at most {MAX_RECEIVERS} receivers. Remove one to add another.</p>
        ) : (
          <>
            <ReceiverForm action={href.receivers(workspace)} button="Add the receiver" />
            <p class="hint">
              A workspace has at most {MAX_RECEIVERS}. The secret that signs the messages is shown once, on
              the page that follows.
            </p>
          </>
        )}
      </Card>
    </Page>,
  );
}

export async function addReceiver(c: PageContext, form: Form): Promise<Response> {
  const made = await createReceiver(c.var.ctx, readReceiver(form, true));
  return showSecret(c, made, { title: "Your new receiver", notice: `${quoted(made.name)} is added.` });
}
