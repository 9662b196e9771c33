import { EVENT_KINDS } from "../../resources/events/event-kinds";
import { type ReceiverInput, receiverInput } from "../../resources/events/receiver-schema";
import type { Receiver } from "../../resources/events/receivers";
import { FieldGroup } from "../shell/labelled";
import { checked, currentPage, type Form } from "../shell/page-request";
import { Field, PostForm, Submit, Tick } from "../shell/post-form";

const Kinds = ({ chosen }: { chosen: readonly string[] }) => (
  <FieldGroup name="kinds" legend="Events">
    {Object.entries(EVENT_KINDS).map(([kind, text]) => (
      <label class="tick">
        <input type="checkbox" name="kinds" value={kind} checked={chosen.includes(kind)} />
        <span>
          {text} <code>{kind}</code>
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
  const kinds = form?.all("kinds") ?? receiver?.kinds ?? [];
  const initial = { url: receiver?.url, is_on: String(receiver?.is_on ?? true) };
  return (
    <PostForm action={action} initial={initial} class="fields narrow">
      <Field name="url" label="URL" type="address" required attributes={{ placeholder: "https://" }} />
      <Kinds chosen={kinds} />
      {receiver !== undefined && (
        <Tick
          name="is_on"
          label="On"
          hint="If off, waiting messages are dropped, and no new ones are kept."
        />
      )}
      <Submit label={button} />
    </PostForm>
  );
};

export const readReceiver = ({ fields, all }: Form, isNew: boolean): ReceiverInput => ({
  ...checked(receiverInput, { url: fields["url"], kinds: all("kinds") }),
  is_on: isNew || fields["is_on"] === "true",
});
