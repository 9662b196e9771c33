import type { Link } from "../../resources/links/schema";
import { TagName } from "../shell/colour";
import { here } from "../shell/href";

/** A link's tags; each leads to the list of its links. Of more than `maxShown` the others are only counted. */
export const TagBadges = ({
  tags,
  maxShown = Number.POSITIVE_INFINITY,
}: {
  tags: Link["tags"];
  maxShown?: number;
}) => {
  const others = tags.slice(maxShown);
  return tags.length === 0 ? (
    <span class="soft">None</span>
  ) : (
    <span class="tags">
      {tags.slice(0, maxShown).map((tag) => (
        <a class="badge" href={here.links({ tag: [tag.slug] })}>
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
