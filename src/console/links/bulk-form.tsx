import type { ActivityGroup } from "../../activity-groups/schema";
import type { Tag } from "../../tags/schema";
import { Select } from "../shell/form";
import type { Problem } from "../shell/problem";

/** The option for no Activity Group. An empty value means that nothing was chosen. */
export const NO_GROUP = "none";

/** A bulk change that was refused, as it was sent. */
export interface RefusedChange {
  problem: Problem;
  ids: readonly string[];
  tag: string;
  group: string;
}

/** The form around the table that changes many links. */
export interface BulkForm {
  action: string;
  tags: readonly Tag[];
  groups: readonly ActivityGroup[];
  refused: RefusedChange | undefined;
}

export const BulkFields = ({ tags, groups, refused }: BulkForm) => {
  const errors = refused?.problem.errors ?? {};
  const problem = refused && {
    ...refused.problem,
    errors: {
      with_tag: errors["tag"] ?? [],
      to_group: errors["activity_group_id"] ?? [],
    },
  };
  return (
    <fieldset class="change">
      <legend>With the chosen links</legend>
      <div class="row">
        <Select
          label="Tag"
          name="with_tag"
          none="Choose a tag"
          value={refused?.tag}
          problem={problem}
          options={tags.map(({ id, name }) => [id, name] as const)}
        />
        <button type="submit" name="change" value="tag">
          Add the tag
        </button>
        <button type="submit" name="change" value="untag">
          Take the tag off
        </button>
      </div>
      <div class="row">
        <Select
          label="Activity Group"
          name="to_group"
          none="Choose a group"
          value={refused?.group}
          problem={problem}
          options={[[NO_GROUP, "No Activity Group"], ...groups.map(({ id, name }) => [id, name] as const)]}
        />
        <button type="submit" name="change" value="move">
          Move
        </button>
      </div>
      <div class="row">
        <button type="submit" name="change" value="archive">
          Archive
        </button>
        <button type="submit" name="change" value="restore">
          Restore
        </button>
      </div>
    </fieldset>
  );
};
