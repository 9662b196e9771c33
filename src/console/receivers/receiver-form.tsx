import { EVENT_KINDS, type EventKind } from "../../resources/events/event-kinds";
import { type ReceiverInput, receiverInput } from "../../resources/events/receiver-schema";
import type { Receiver } from "../../resources/events/receivers";
import { FieldGroup } from "../shell/labelled";
import { TickAll } from "../shell/list-controls";
import { checked, currentPage, type Form } from "../shell/page-request";
import { Field, PostForm, Submit, Tick } from "../shell/post-form";
import { EventName } from "./receiver-text";

/** What a name says too little of. */
const HINTS: Partial<Record<EventKind, string>> = {
  "link.restored": "After it was archived or taken down",
  "link.taken_down": "By the operator or a check",
  "visits.counted": "The new ones of each link, at most every five minutes",
};

const KINDS = Object.keys(EVENT_KINDS) as EventKind[];

const Kinds = ({ chosen }: { chosen: readonly string[] }) => (
  <FieldGroup name="kinds" legend="Events">
    <TickAll name="kinds" label="All events" />
    {KINDS.map((kind) => (
      <label class="tick">
        <input type="checkbox" name="kinds" value={kind} checked={chosen.includes(kind)} />
        <span>
          <EventName kind={kind} />
          {HINTS[kind] !== undefined && <span class="hint block">{HINTS[kind]}</span>}
        </span>
      </label>
    ))}
  </FieldGroup>
);

/** The form of a receiver. It shows what was sent, if it was refused. */
export const ReceiverForm = ({
  action,
  receiver,
  button,
}: {
  action: string;
  receiver?: Receiver;
  button: string;
}) => {
  const { req, var: page } = currentPage();
  const form = req.path === action ? page.form : undefined;
  const all = req.query("ticked") === "kinds" ? KINDS : undefined;
  const kinds = form?.all("kinds") ?? all ?? receiver?.kinds ?? [];
  const initial = { name: receiver?.given_name, url: receiver?.url, is_on: String(receiver?.is_on ?? true) };
  return (
    <PostForm action={action} initial={initial} class="fields narrow">
      <Field
        name="name"
        label="Name"
        hint="What the other system is, such as “CRM” or “Zapier, new links”."
        isOptional
      />
      <Field
        name="url"
        label="URL"
        type="address"
        hint="The address that the other system has given you for webhooks."
        required
        attributes={{ placeholder: "https://" }}
      />
      <Kinds chosen={kinds} />
      {receiver !== undefined && (
        <Tick
          name="is_on"
          label="On"
          hint="While it is off, nothing is sent or kept for later. What waits is dropped."
        />
      )}
      <Submit label={button} />
    </PostForm>
  );
};

export const readReceiver = ({ fields, all }: Form, isNew: boolean): ReceiverInput => ({
  ...checked(receiverInput, { name: fields["name"], url: fields["url"], kinds: all("kinds") }),
  is_on: isNew || fields["is_on"] === "true",
});
