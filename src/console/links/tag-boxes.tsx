import { useContext } from "hono/jsx";
import type { Tag } from "../../resources/tags/schema";
import { Swatch } from "../shell/colour";
import { Field, FormContext } from "../shell/form";

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
  const messages = Object.entries(problem?.errors ?? {})
    .filter(([field]) => ["tag_ids", "new_tags"].includes(field.split(".")[0] ?? ""))
    .flatMap(([, ofField]) => ofField);
  return (
    <fieldset
      id="tag_ids"
      tabindex={-1}
      data-picks="Tags"
      aria-describedby={messages.length > 0 ? "tag_ids-refusal" : undefined}
    >
      <legend>
        Tags
        <span class="optional"> (optional)</span>
      </legend>
      <div class="ticks" hidden={tags.length === 0}>
        {tags.map(({ id, name, colour }) => (
          <label class="tick">
            <input type="checkbox" name="tag_ids" value={id} checked={chosen.includes(id)} />
            <Swatch colour={colour} />
            <bdi>{name}</bdi>
          </label>
        ))}
      </div>
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
