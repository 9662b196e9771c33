import type { Context } from "../../context";
import { listLinks } from "../../links/list";
import { href } from "../href";
import type { PageContext } from "../shell/request";
import { count, Empty } from "../shell/text";

const countArchivedLinks = async (ctx: Context): Promise<number> =>
  (await listLinks(ctx, { status: "archived", sort: "-created_at", page: 1, per_page: 1 })).meta.total;

/** Shown if a filter or a page has no links. */
export const NoMatch = ({ workspace }: { workspace: string }) => (
  <Empty>
    <p>No link is here.</p>
    <a class="button" href={href.links(workspace)}>
      Show all active links
    </a>
  </Empty>
);

/** Shown if the workspace has no active links. */
export async function showNoActiveLinks({ var: { ctx, membership } }: PageContext) {
  const { slug: workspace } = membership.workspace;
  const isEditor = membership.role !== "viewer";
  const archived = await countArchivedLinks(ctx);
  if (archived > 0) {
    return (
      <Empty>
        <p>No link is active. Archived links still lead to their destinations.</p>
        <p class="row">
          <a class="button" href={href.links(workspace, { status: "archived" })}>
            Show {count(archived, "archived link")}
          </a>
          {isEditor && (
            <a class="button primary" href={href.newLink(workspace)}>
              Create a link
            </a>
          )}
        </p>
      </Empty>
    );
  }
  return (
    <Empty>
      <p>A link leads visitors from a short URL to its destination, and counts them. There is none yet.</p>
      {isEditor && (
        <p class="row">
          <a class="button primary" href={href.newLink(workspace)}>
            Create the first link
          </a>
          <a class="button" href={href.imports(workspace)}>
            Import links from a file
          </a>
        </p>
      )}
    </Empty>
  );
}
