import { useContext } from "hono/jsx";
import type { Tag } from "../../resources/tags/tag-schema";
import { FormContext, messagesOf } from "../shell/labelled";
import { Ticks } from "../shell/list-controls";
import { Field } from "../shell/post-form";

/**
 * Tags to choose, and names of those that are to be created. The script replaces the checkboxes by a field that searches them
 * and a chip for each choice.
 */
export const TagBoxes = ({
  tags,
  chosen,
  created,
}: {
  tags: readonly Tag[];
  chosen: readonly string[];
  /** When they are created: "with the link". */
  created: string;
}) => {
  const { problem } = useContext(FormContext);
  const messages = [...messagesOf(problem, "tag_ids"), ...messagesOf(problem, "new_tags")];
  return (
    <fieldset
      id="tag_ids"
      tabindex={-1}
      data-picks="Tags"
      aria-describedby={messages.length > 0 ? "tag_ids-refusal" : undefined}
    >
      <legend>Tags</legend>
      <Ticks name="tag_ids" items={tags} chosen={chosen} />
      <Field
        label="New tags"
        name="new_tags"
        error={null}
        hint={`Names with commas between them. They are created ${created}.`}
        attributes={{ "data-creates": true }}
      />
      {messages.length > 0 && (
        <p class="refused" id="tag_ids-refusal">
          {messages.join(" ")}
        </p>
      )}
    </fieldset>
  );
};
