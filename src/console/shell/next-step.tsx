import type { Membership, Person } from "../../access/sessions";
import { Choice } from "./button";
import { findAttributes } from "./find-form";
import { Field } from "./form";
import { href } from "./href";

/** Where to go from an error page: a search and the main pages of the workspace, or the person's workspaces. */
export const NextStep = ({
  membership,
  person,
  isMissing,
}: {
  membership?: Membership;
  person?: Person;
  isMissing: boolean;
}) => {
  if (membership !== undefined) {
    const { slug } = membership.workspace;
    return (
      <>
        {isMissing && (
          <>
            <p class="soft">It may have been deleted, or the address is not complete.</p>
            <form method="get" action={href.links(slug)} class="search">
              <input type="hidden" name="status" value="all" />
              <Field label="Search links" name="q" type="search" attributes={findAttributes()} required />
              <button type="submit">Search</button>
            </form>
          </>
        )}
        <p class="row">
          <a href={href.workspace(slug)}>Overview</a>
          <a href={href.links(slug)}>Links</a>
          <a href={href.groups(slug)}>Activity Groups</a>
          <a href={href.members(slug)}>People</a>
        </p>
      </>
    );
  }
  const open = person?.memberships.filter(({ suspended }) => !suspended) ?? [];
  if (open.length === 0) return null;
  return (
    <nav class="stack" aria-label="Your workspaces">
      <p>Your workspaces:</p>
      <ul class="choices">
        {open.map(({ workspace }) => (
          <Choice href={href.workspace(workspace.slug)} isCurrent={false}>
            {workspace.name}
          </Choice>
        ))}
      </ul>
    </nav>
  );
};
