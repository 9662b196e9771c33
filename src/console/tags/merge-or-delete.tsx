import type { UsedTag } from "../../resources/tags/service";
import { href } from "../href";
import { Dangerous } from "../shell/form";
import { Picker } from "../shell/picker";
import type { Problem } from "../shell/problem";
import { Card, count, quoted } from "../shell/text";

/** The forms that merge or delete a tag. */
export const MergeOrDelete = ({
  workspace,
  tag,
  others,
  problem,
}: {
  workspace: string;
  tag: UsedTag;
  others: readonly UsedTag[];
  problem: Problem | undefined;
}) => {
  const links = count(tag.active_links + tag.archived_links, "link");
  return (
    <Card id="ending" title="Merge or delete">
      {others.length > 0 && (
        <Dangerous
          summary="Merge this tag into another"
          consequence={`Whatever carries ${quoted(tag.name)} (${links}) gets the tag that you choose, once. Then ${quoted(tag.name)} is deleted. This cannot be undone.`}
          action={href.mergeTag(workspace, tag.id)}
          button="Merge the tags"
          open={problem?.errors["into"] !== undefined}
        >
          <Picker
            label="Tag that stays"
            name="into"
            none="Choose a tag"
            options={others.map(({ id, name }) => [id, name])}
            problem={problem}
            required
          />
        </Dangerous>
      )}
      <Dangerous
        summary="Delete this tag"
        consequence={`${quoted(tag.name)} is removed from ${links} and deleted. The links stay, and go on redirecting. This cannot be undone.`}
        action={href.deleteTag(workspace, tag.id)}
        button="Delete the tag"
      />
    </Card>
  );
};
