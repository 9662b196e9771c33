import type { Tag } from "../../tags/schema";
import { href } from "../href";
import type { Problem } from "../shell/problem";
import { UserText } from "./link-text";

export const TagBoxes = ({
  workspace,
  tags,
  chosen,
  problem,
}: {
  workspace: string;
  tags: readonly Tag[];
  chosen: readonly string[];
  problem: Problem | undefined;
}) => {
  const refusals = Object.entries(problem?.errors ?? {})
    .filter(([field]) => field.startsWith("tag_ids"))
    .flatMap(([, messages]) => messages);
  return (
    <fieldset aria-describedby={refusals.length > 0 ? "tag_ids-refusal" : undefined}>
      <legend>
        Tags<span class="optional"> (optional)</span>
      </legend>
      {tags.length === 0 ? (
        <p class="soft">
          There are none yet. <a href={href.tags(workspace)}>Create a tag</a> to sort links by.
        </p>
      ) : (
        <div class="ticks">
          {tags.map(({ id, name }) => (
            <label class="tick">
              <input type="checkbox" name="tag_ids" value={id} checked={chosen.includes(id)} />
              <UserText text={name} />
            </label>
          ))}
        </div>
      )}
      {refusals.length > 0 && (
        <p class="refused" id="tag_ids-refusal">
          {refusals.join(" ")}
        </p>
      )}
    </fieldset>
  );
};
