import type { Tag } from "../../resources/tags/schema";
import { Swatch } from "../shell/colour";
import { SeveralPicker } from "../shell/picker";
import type { Problem } from "../shell/problem";

/** Tags to choose, and names of those that are to be created. */
export const TagBoxes = ({
  tags,
  chosen,
  names,
  created,
  problem,
}: {
  tags: readonly Tag[];
  chosen: readonly string[];
  names: string;
  /** When they are created: "with the link". */
  created: string;
  problem: Problem | undefined;
}) => (
  <SeveralPicker
    label="Tags"
    name="tag_ids"
    options={tags.map(({ id, name, colour }) => ({
      value: id,
      label: name,
      mark: <Swatch colour={colour} />,
    }))}
    chosen={chosen}
    creates={{
      name: "new_tags",
      label: "New tags",
      hint: `Names with commas between them. They are created ${created}.`,
      value: names,
    }}
    problem={problem}
  />
);
