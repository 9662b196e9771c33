import { getGroupOverview } from "../../resources/activity-groups/group-service";
import { listCodeBrandings } from "../../resources/code-brandings/code-branding-service";
import { listLinksQuery } from "../../resources/links/link-schema";
import { listSomeLinks } from "../../resources/links/list-links";
import { sheetQuery } from "../print/print-settings";
import { PrintButton, Sheet, SheetFields } from "../print/sheet";
import { chooseBranding } from "../print/sheet-branding";
import { ButtonLink } from "../shell/button";
import { href } from "../shell/href";
import { Page } from "../shell/layout";
import { NoSuchPage, Pager } from "../shell/list-controls";
import { type PageContext, readQuery } from "../shell/page-request";
import { Empty } from "../shell/text";

const MAX_CODES = 100;

const query = listLinksQuery.pick({ page: true, after: true });

const CAPTIONS = [
  { id: "name", name: "Title" },
  { id: "url", name: "Short link" },
] as const;

export async function showGroupPrint(c: PageContext): Promise<Response> {
  const { ctx, workspace } = c.var;
  const id = c.req.param("id");
  const settings = readQuery(sheetQuery, c);
  const [group, { items, meta, nextAfter }, brandings] = await Promise.all([
    getGroupOverview(ctx, id),
    listSomeLinks(ctx, {
      ...readQuery(query, c),
      activity_group_id: id,
      status: "active",
      // New links come last, so that the sheets printed before stay the same.
      sort: "created_at",
      per_page: MAX_CODES,
    }),
    listCodeBrandings(ctx),
  ]);
  const urls = items.map(({ short_url: url }) => url);
  const branding = await chooseBranding(brandings, settings, urls);
  return c.render(
    <Page
      title={`QR codes of ${group.name}`}
      section="groups"
      crumbs={["groups", { label: group.name, href: href.group(workspace, group.id) }]}
      actions={
        <>
          {items.length > 0 && <PrintButton />}
          <ButtonLink to={href.printAssets(workspace, { group: group.id })} label="Codes of its posters" />
        </>
      }
    >
      {items.length > 0 ? (
        <div class="stack">
          <form method="get" action={href.groupPrint(workspace, id)} class="card screen">
            <SheetFields settings={settings} captions={CAPTIONS} branding={branding} />
          </form>
          <Sheet
            order="their creation, the oldest link first"
            settings={settings}
            branding={branding}
            items={items.map(({ short_url: url, title: name }) => ({ url, name }))}
          />
          <Pager meta={meta} of="QR code" after={nextAfter} />
        </div>
      ) : meta.total > 0 ? (
        <NoSuchPage meta={meta} />
      ) : (
        <Empty text="This group has no active link. An archived link goes on working, but is no longer printed.">
          <a href={href.group(workspace, group.id)}>Back to the group</a>
        </Empty>
      )}
    </Page>,
  );
}
