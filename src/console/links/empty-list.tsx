import type { Context } from "../../context";
import { listLinks } from "../../resources/links/list";
import { href } from "../href";
import { here } from "../shell/page";
import type { PageContext } from "../shell/request";
import { count, Empty, number, quoted } from "../shell/text";
import type { LinksList } from "./query";

const countArchivedLinks = async (ctx: Context): Promise<number> =>
  (await listLinks(ctx, { status: "archived", sort: "-created_at", page: 1, per_page: 1 })).meta.total;

/** Shown if no link has what was asked for. */
export const NoMatch = ({ query }: { query: LinksList }) => (
  <Empty>
    <p>{query.q === undefined ? "No link is here." : `No link is found for ${quoted(query.q)}.`}</p>
    <p class="row">
      {query.q !== undefined && query.status !== "all" && (
        <a class="button" href={here.links({ q: query.q, status: "all" })}>
          Search all links, archived ones too
        </a>
      )}
      <a class="button" href={here.links()}>
        Show all active links
      </a>
    </p>
  </Empty>
);

/** Shown for a page that only the one before it leads to. */
export const TooFarPage = ({ last, href: to }: { last: number; href: string }) => (
  <Empty>
    <p>
      Pages after page {number(last)} open only from the page before. A search, a filter or another order
      finds links sooner.
    </p>
    <a class="button" href={to}>
      Show page {number(last)}
    </a>
  </Empty>
);

/** Shown if the workspace has no active links. */
export async function showNoActiveLinks({ var: { ctx, workspace, isEditor } }: PageContext) {
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
      <p>A link leads visitors from a short link to its destination, and counts them. There is none yet.</p>
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
