import {
  changeReceiver,
  type Delivery,
  getReceiver,
  type Receiver,
  removeReceiver,
} from "../../resources/events/receivers";
import { sendAgain, sendTest } from "../../resources/events/send-by-hand";
import { PostButton } from "../shell/button";
import { Dangerous } from "../shell/dangerous";
import { here, href } from "../shell/href";
import { Page, redirectWithNotice } from "../shell/layout";
import type { Form, PageContext } from "../shell/page-request";
import { Table } from "../shell/table";
import { Badge, Card, count, Time } from "../shell/text";
import { ReceiverForm, readReceiver } from "./receiver-form";
import { stateOf } from "./receivers-page";

const StateText = ({ receiver }: { receiver: Receiver & { waiting: number } }) => {
  const { switched_off_by: by, switched_off_at: at, failing_since: since, is_on: isOn, waiting } = receiver;
  if (!isOn && at !== null)
    return (
      <>
        {by === "gone"
          ? "The receiver has answered that it is gone (410), so it was switched off on "
          : "A message could not be delivered for three days, so the receiver was switched off on "}
        <Time at={at} exact />. Waiting messages were dropped. Look at the deliveries below, then switch it on
        again.
      </>
    );
  if (!isOn) return <>Nothing is sent.</>;
  return (
    <>
      {since !== null && (
        <>
          Messages have failed since <Time at={since} exact />.{" "}
        </>
      )}
      {waiting === 0
        ? "No message waits."
        : `${count(waiting, "message")} ${waiting === 1 ? "waits" : "wait"}.`}
    </>
  );
};

const Result = ({ delivery }: { delivery: Delivery }) => {
  const { is_delivered: isDelivered, outcome, next_at: next, answer, tries } = delivery;
  return (
    <>
      <Badge of={isDelivered ? "delivered" : next === null ? "not_delivered" : "waiting"} /> {outcome}
      {tries > 1 && <span class="soft small"> {count(tries, "try", "tries")}</span>}
      {!isDelivered && next !== null && tries > 0 && (
        <span class="soft small">
          {" "}
          next try <Time at={next} exact />
        </span>
      )}
      {answer !== null && answer !== "" && (
        <details>
          <summary>Answer</summary>
          <pre tabindex={0}>{answer}</pre>
        </details>
      )}
    </>
  );
};

export async function showReceiver(c: PageContext): Promise<Response> {
  const { ctx, workspace } = c.var;
  const receiver = await getReceiver(ctx, c.req.param("id"));
  const { id, name, is_on: isOn, deliveries } = receiver;
  return c.render(
    <Page title={name} section="receivers" crumbs={["receivers"]} class="stack">
      <p>
        <Badge of={stateOf(receiver)} /> <StateText receiver={receiver} />
      </p>
      {isOn && <PostButton to={href.testReceiver(workspace, id)} label="Send a test" />}
      <Card id="deliveries" title="Last deliveries">
        <Table
          caption="Deliveries of the last seven days, the last hundred"
          empty="Nothing was sent in the last seven days."
          rows={deliveries}
          columns={[
            { heading: "Event", isName: true, cell: ({ kind }) => <code>{kind}</code> },
            {
              heading: "When",
              kind: "labelled",
              cell: ({ at, amount }) => (
                <>
                  <Time at={at} exact />
                  {amount !== null && ` ${count(amount, "event")} in one message`}
                </>
              ),
            },
            { heading: "Result", cell: (delivery) => <Result delivery={delivery} /> },
            {
              heading: <span class="unseen">Actions</span>,
              cell: ({ event, tries }) =>
                isOn &&
                tries > 0 && (
                  <PostButton
                    to={here.sendAgain(id, event)}
                    label="Send again"
                    description={`Send ${event} again`}
                    kind="quiet"
                  />
                ),
            },
          ]}
        />
      </Card>
      <Card id="edit" title="Change it">
        <ReceiverForm action={href.receiver(workspace, id)} receiver={receiver} button="Save changes" />
      </Card>
      <Dangerous
        summary="Remove this receiver"
        consequence="It gets no more messages, and its deliveries are deleted."
        action={href.removeReceiver(workspace, id)}
        button={`Remove ${name}`}
      />
    </Page>,
  );
}

export async function saveReceiver(c: PageContext, form: Form): Promise<Response> {
  const id = c.req.param("id");
  await changeReceiver(c.var.ctx, id, readReceiver(form, false));
  return redirectWithNotice(c, href.receiver(c.var.workspace, id), "The receiver is saved.");
}

export async function deleteReceiver(c: PageContext): Promise<Response> {
  const { name } = await removeReceiver(c.var.ctx, c.req.param("id"));
  return redirectWithNotice(c, href.receivers(c.var.workspace), `The receiver at ${name} is removed.`);
}

const resultText = (sent: Awaited<ReturnType<typeof sendTest>>): string => {
  if (sent === undefined) return "The message is being sent.";
  return sent.isDelivered ? `It is delivered: ${sent.outcome}.` : `It is not delivered: ${sent.outcome}.`;
};

export async function testReceiver(c: PageContext): Promise<Response> {
  const id = c.req.param("id");
  const sent = await sendTest(c.var.ctx, id);
  return redirectWithNotice(c, href.receiver(c.var.workspace, id), resultText(sent));
}

export async function sendDeliveryAgain(c: PageContext): Promise<Response> {
  const id = c.req.param("id");
  const sent = await sendAgain(c.var.ctx, id, c.req.param("operation"));
  return redirectWithNotice(c, href.receiver(c.var.workspace, id), resultText(sent));
}
