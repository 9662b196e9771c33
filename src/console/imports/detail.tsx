import type { Hono } from "hono";
import { z } from "zod";
import { getImport, type ImportPage } from "../../imports/service";
import { href, paths } from "../href";
import { Dangerous } from "../shell/form";
import { showPage } from "../shell/layout";
import { Pager } from "../shell/pager";
import { type ConsoleEnv, readQuery } from "../shell/request";
import { count, Empty, number } from "../shell/text";
import { Progress } from "./progress";
import { Rows } from "./rows";

const importQuery = z.object({
  show: z.enum(["all", "refused"]).default("all"),
  page: z.coerce.number().int().min(1).max(1_000).default(1),
});

const Discard = ({ workspace, found }: { workspace: string; found: ImportPage }) => {
  const { made, status, id } = found;
  const again = "Sent again after that, it makes a second link of every row that has no slug.";
  const consequences = {
    checked: "The file is forgotten. Nothing has been made of it.",
    running: `What has been made so far stays: ${count(made, "link")}. The other rows are not imported, and the file is forgotten. ${again}`,
    finished: `What has been made stays: ${count(made, "link")}. The file is forgotten. ${again}`,
  };
  return (
    <Dangerous
      summary={status === "finished" ? "Forget this import" : "Discard this import"}
      consequence={consequences[status]}
      action={href.discardImport(workspace, id)}
      button={status === "finished" ? "Forget it" : "Discard"}
    />
  );
};

const MAX_TAGS = 20;

/** The columns that are ignored and the tags that will be made. */
const FileFacts = ({ found }: { found: ImportPage }) => (
  <>
    {found.ignored.length > 0 && (
      <p class="warning">
        {found.ignored.length === 1 ? "This column is" : "These columns are"} ignored:{" "}
        {found.ignored.join(", ")}
      </p>
    )}
    {found.tags.length > 0 && found.status === "checked" && (
      <p>
        {found.tags.length === 1 ? "A new tag is" : `${number(found.tags.length)} new tags are`} made with the
        links: {found.tags.slice(0, MAX_TAGS).join(", ")}
        {found.tags.length > MAX_TAGS && ` and ${number(found.tags.length - MAX_TAGS)} more`}
      </p>
    )}
  </>
);

export function registerImport(app: Hono<ConsoleEnv>): void {
  app.get(paths.import, async (c) => {
    const { ctx, membership } = c.var;
    const query = readQuery(importQuery, c);
    const found = await getImport(ctx, c.req.param("id"), query);
    const { slug: workspace } = membership.workspace;
    const isEditor = membership.role !== "viewer";
    const show = query.show === "refused" ? query.show : undefined;
    const turn = (page: number) => href.import(workspace, found.id, { page, ...(show && { show }) });
    const { current_page: page, last_page: last } = found.meta;
    return showPage(
      c,
      {
        title: found.name,
        section: "import",
        actions: <a href={href.imports(workspace)}>All imports</a>,
      },
      <div class="stack">
        <Progress workspace={workspace} found={found} isEditor={isEditor} />
        <FileFacts found={found} />
        <nav class="row" aria-label="Which rows are shown">
          <a href={href.import(workspace, found.id)} aria-current={show ? undefined : "page"}>
            All rows ({number(found.rows)})
          </a>
          <a
            href={href.import(workspace, found.id, { show: "refused" })}
            aria-current={show ? "page" : undefined}
          >
            Refused rows ({number(found.refused)})
          </a>
          {found.refused > 0 && (
            <a href={href.refusedRows(workspace, found.id)} download>
              Download the refused rows
            </a>
          )}
        </nav>
        {found.items.length === 0 ? (
          <Empty>
            <p>{show ? "No row is refused." : "There are no rows on this page."}</p>
          </Empty>
        ) : (
          <Rows workspace={workspace} found={found} caption={show ? "Refused rows" : "Rows of the file"} />
        )}
        <Pager
          meta={found.meta}
          of={show ? "refused rows" : "rows, numbered as in a spreadsheet"}
          previous={page > 1 ? turn(page - 1) : undefined}
          next={page < last ? turn(page + 1) : undefined}
        />
        {isEditor && <Discard workspace={workspace} found={found} />}
      </div>,
    );
  });
}
