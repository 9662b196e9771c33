import { changeReceiver, type Delivery, getReceiver, removeReceiver } from "../../resources/events/receivers";
import { sendAgain, sendTest } from "../../resources/events/send-by-hand";
import { ActionForm, Button, PostButton } from "../shell/button";
import { Dangerous } from "../shell/dangerous";
import { here, href } from "../shell/href";
import { Page, redirectWithNotice } from "../shell/layout";
import type { Form, PageContext } from "../shell/page-request";
import { HiddenFields } from "../shell/post-form";
import { Table } from "../shell/table";
import { Badge, Card, count, quoted, Time } from "../shell/text";
import { ReceiverForm, readReceiver } from "./receiver-form";
import { EventName, stateOf } from "./receiver-text";
import { SecretCard } from "./secret";

type Shown = Awaited<ReturnType<typeof getReceiver>>;

const waitingText = (waiting: number): string =>
  waiting === 0 ? "Nothing waits." : `${count(waiting, "message")} ${waiting === 1 ? "waits" : "wait"}.`;

/** What the state means, and what to do next. */
const StateText = ({ receiver }: { receiver: Shown }) => {
  const { switched_off_by: by, switched_off_at: at, failing_since: since, is_on: isOn } = receiver;
  const { waiting, deliveries } = receiver;
  if (!isOn && at !== null)
    return (
      <>
        {by === "gone"
          ? "The other system has answered that it takes no more messages (410). So this receiver was switched off on "
          : "A message could not be delivered for three days. So this receiver was switched off on "}
        <Time at={at} exact />, and what waited was dropped. See what it answered below, then switch it on
        again.
      </>
    );
  if (!isOn) return <>Nothing is sent, and nothing is kept for later.</>;
  if (since !== null)
    return (
      <>
        Messages have failed since <Time at={since} exact />.{" "}
        {waiting > 0 &&
          `${waitingText(waiting)} Each is tried again for three days, then this receiver is switched off. `}
        When the other system works again, send a test.
      </>
    );
  const last = deliveries.find(({ tried_at: triedAt }) => triedAt !== null);
  if (last?.is_delivered === true) return <>Messages arrive. {waitingText(waiting)}</>;
  return <>It is ready. {waitingText(waiting)} A test shows whether messages arrive.</>;
};

/** Switches a receiver on as it is. */
const SwitchOn = ({ receiver: { id, given_name: name, url, kinds } }: { receiver: Shown }) => (
  <ActionForm method="post" action={here.receiver(id)}>
    <HiddenFields fields={{ name, url, kinds, is_on: "true" }} />
    <Button label="Switch it on" kind="primary" />
  </ActionForm>
);

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
  const { id, name, given_name: given, address, is_on: isOn, deliveries } = receiver;
  return c.render(
    <Page title={name} section="receivers" crumbs={["receivers"]} class="stack">
      {given !== null && <p class="soft">{address}</p>}
      <p>
        <Badge of={stateOf(receiver)} /> <StateText receiver={receiver} />
      </p>
      {isOn ? (
        <PostButton to={href.testReceiver(workspace, id)} label="Send a test" />
      ) : (
        <SwitchOn receiver={receiver} />
      )}
      <Card id="deliveries" title="Deliveries of the last seven days">
        <Table
          caption="Deliveries, the last hundred"
          empty="Nothing was sent in the last seven days."
          rows={deliveries}
          columns={[
            { heading: "Event", isName: true, cell: ({ kind }) => <EventName kind={kind} /> },
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
      <Card id="edit" title="Edit">
        <ReceiverForm action={href.receiver(workspace, id)} receiver={receiver} button="Save changes" />
      </Card>
      <SecretCard id={id} />
      <Dangerous
        summary="Remove this receiver"
        consequence="The other system gets no more messages. The deliveries above and the secret are deleted."
        action={href.removeReceiver(workspace, id)}
        button="Remove the receiver"
      />
    </Page>,
  );
}

export async function saveReceiver(c: PageContext, form: Form): Promise<Response> {
  const id = c.req.param("id");
  const input = readReceiver(form, false);
  await changeReceiver(c.var.ctx, id, input);
  const notice = input.is_on ? "The receiver is saved, and is on." : "The receiver is saved, and is off.";
  return redirectWithNotice(c, href.receiver(c.var.workspace, id), notice);
}

export async function deleteReceiver(c: PageContext): Promise<Response> {
  const { name } = await removeReceiver(c.var.ctx, c.req.param("id"));
  return redirectWithNotice(c, href.receivers(c.var.workspace), `${quoted(name)} is removed.`);
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
