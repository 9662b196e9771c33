import { href } from "../href";

/** The three ways in which links get into a group. */
export const AddLinks = ({ workspace, group }: { workspace: string; group: string }) => (
  <p class="row">
    <a
      class="button primary"
      href={href.newLink(workspace, { activity_group_id: group, back: href.group(workspace, group) })}
    >
      New link
    </a>
    <a class="button" href={href.moveToGroup(workspace, group)}>
      Move links here
    </a>
    <a class="button" href={href.imports(workspace, { group })}>
      Import links
    </a>
  </p>
);
