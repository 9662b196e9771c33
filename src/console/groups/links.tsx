import type { GroupOverview } from "../../activity-groups/overview";
import type { Link } from "../../links/schema";
import { href } from "../href";
import { count, Empty } from "../shell/text";

/** The newest active links of a group. */
export const GroupLinks = ({
  workspace,
  group,
  links,
  isEditor,
}: {
  workspace: string;
  group: GroupOverview;
  links: readonly Link[];
  isEditor: boolean;
}) => {
  const listHref = (status: "active" | "archived") =>
    href.links(workspace, { activity_group_id: group.id, status });
  const { active, archived } = group.links;
  return (
    <section class="stack" aria-labelledby="links">
      <h2 id="links">Links</h2>
      {links.length === 0 ? (
        <Empty>
          <p>No active link is in this group.</p>
          {isEditor && (
            <a class="button" href={href.newLink(workspace, { activity_group_id: group.id })}>
              Create a link in it
            </a>
          )}
        </Empty>
      ) : (
        <table class="list">
          <caption class="unseen">Links of this Activity Group</caption>
          <thead>
            <tr>
              <th scope="col">Link</th>
              <th scope="col">Channel</th>
              <th scope="col">Leads to</th>
            </tr>
          </thead>
          <tbody>
            {links.map((link) => (
              <tr>
                <th scope="row">
                  <a href={href.link(workspace, link.id)}>{link.title ?? link.slug}</a>
                  <div class="soft small">{link.short_url}</div>
                </th>
                <td data-label="Channel">{link.channel ?? <span class="soft">None</span>}</td>
                <td data-label="Leads to" class="small">
                  {link.destination_url}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p class="row">
        {active > 0 && (
          <a href={listHref("active")}>
            {active > links.length ? `All ${count(active, "active link")}` : "Open in the list of links"}
          </a>
        )}
        {archived > 0 && <a href={listHref("archived")}>{count(archived, "archived link")}</a>}
      </p>
    </section>
  );
};
