import type { Context } from "../../context";
import { listLinks } from "../../resources/links/list";
import { ButtonLink } from "../shell/button";
import { here, href } from "../shell/href";
import type { PageContext } from "../shell/request";
import { count, Empty, number, quoted } from "../shell/text";
import type { LinksList } from "./query";

const countArchivedLinks = async (ctx: Context): Promise<number> =>
  (await listLinks(ctx, { status: "archived", sort: "-created_at", page: 1, per_page: 1 })).meta.total;

/** Shown if no link has what was asked for. */
export const NoMatch = ({ query }: { query: LinksList }) => (
  <Empty text={query.q === undefined ? "No link is here." : `No link is found for ${quoted(query.q)}.`}>
    <p class="row">
      {query.q !== undefined && query.status !== "all" && (
        <ButtonLink
          to={here.links({ q: query.q, status: "all" })}
          label="Search all links, archived ones too"
        />
      )}
      <ButtonLink to={here.links()} label="Show all active links" />
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
    <ButtonLink to={to} label={`Show page ${number(last)}`} />
  </Empty>
);

/** Shown if the workspace has no active links. */
export async function showNoActiveLinks({ var: { ctx, workspace, isEditor } }: PageContext) {
  const archived = await countArchivedLinks(ctx);
  if (archived > 0) {
    return (
      <Empty text="No link is active. Archived links still lead to their destinations.">
        <p class="row">
          <ButtonLink
            to={href.links(workspace, { status: "archived" })}
            label={`Show ${count(archived, "archived link")}`}
          />
          {isEditor && <ButtonLink to={href.newLink(workspace)} label="Create a link" isPrimary />}
        </p>
      </Empty>
    );
  }
  return (
    <Empty>
      <p>A link leads visitors from a short link to its destination, and counts them. There is none yet.</p>
      {isEditor && (
        <p class="row">
          <ButtonLink to={href.newLink(workspace)} label="Create the first link" isPrimary />
          <ButtonLink to={href.imports(workspace)} label="Import links from a file" />
        </p>
      )}
    </Empty>
  );
}
