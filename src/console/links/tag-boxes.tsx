import type { Tag } from "../../resources/tags/tag-schema";
import { FieldGroup } from "../shell/labelled";
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
}) => (
  <FieldGroup name="tag_ids" legend="Tags" errors={["tag_ids", "new_tags"]} data-picks="Tags">
    <Ticks name="tag_ids" items={tags} chosen={chosen} />
    <Field
      label="New tags"
      name="new_tags"
      error={null}
      hint={`Names with commas between them. They are created ${created}.`}
      attributes={{ "data-creates": true }}
    />
  </FieldGroup>
);
