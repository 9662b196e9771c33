import type { Link } from "../../links/schema";
import { href } from "../href";
import { UserText } from "./link-text";

/** A link's tags; each leads to the list of its links. */
export const TagBadges = ({ workspace, tags }: { workspace: string; tags: Link["tags"] }) =>
  tags.length === 0 ? (
    <span class="soft">None</span>
  ) : (
    <span class="tags">
      {tags.map(({ name, slug }) => (
        <a class="badge" href={href.links(workspace, { tag: [slug] })}>
          <UserText text={name} />
        </a>
      ))}
    </span>
  );
