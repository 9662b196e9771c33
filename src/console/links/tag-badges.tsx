import type { Link } from "../../resources/links/schema";
import { href } from "../href";
import { TagName } from "../shell/swatch";

/** A link's tags; each leads to the list of its links. Of more than `maxShown` the others are only counted. */
export const TagBadges = ({
  workspace,
  tags,
  maxShown = Number.POSITIVE_INFINITY,
}: {
  workspace: string;
  tags: Link["tags"];
  maxShown?: number;
}) => {
  const others = tags.slice(maxShown);
  return tags.length === 0 ? (
    <span class="soft">None</span>
  ) : (
    <span class="tags">
      {tags.slice(0, maxShown).map((tag) => (
        <a class="badge" href={href.links(workspace, { tag: [tag.slug] })}>
          <TagName tag={tag} />
        </a>
      ))}
      {others.length > 0 && (
        <span class="badge" title={others.map(({ name }) => name).join(", ")}>
          +{others.length}
          <span class="unseen"> more tags</span>
        </span>
      )}
    </span>
  );
};
