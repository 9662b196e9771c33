import type { Hono } from "hono";
import { z } from "zod";
import { goOnWithImport } from "../../imports/go-on";
import {
  assertImportPath,
  discardImport,
  getImport,
  type ImportPage,
  refusedRows,
} from "../../imports/service";
import { editorsOnly } from "../auth/permissions";
import { href, paths } from "../href";
import { sendCsv } from "../shell/csv-response";
import { Dangerous } from "../shell/form";
import { showPage } from "../shell/layout";
import { redirectWithNotice } from "../shell/notice";
import { Pager } from "../shell/pager";
import { type ConsoleEnv, readQuery } from "../shell/request";
import { count, Empty, number } from "../shell/text";
import { Rows } from "./rows";
import { SAME_ROWS } from "./upload";

const pageQuery = z.object({
  show: z.enum(["all", "refused"]).default("all"),
  page: z.coerce.number().int().min(1).max(1_000).default(1),
});

interface Parts {
  workspace: string;
  found: ImportPage;
  mayWrite: boolean;
}

const toDo = (found: ImportPage): number => found.rows - found.made - found.refused;

const State = ({ workspace, found, mayWrite }: Parts) => {
  const left = toDo(found);
  const { id, status, made, refused, rows } = found;
  if (status === "finished") {
    return (
      <section class="card">
        <h2>Finished</h2>
        <p>
          {count(made, "link was", "links were")} made
          {refused > 0 && <>, and {count(refused, "row was", "rows were")} refused</>}.
        </p>
        <p>
          <a class="button" href={href.links(workspace)}>
            Go to the links
          </a>
        </p>
      </section>
    );
  }
  if (status === "running") {
    return (
      <section class="card">
        <h2>Importing</h2>
        <label for="progress">
          {number(made + refused)} of {count(rows, "row")} redirectWithNotice
        </label>
        <progress id="progress" value={made + refused} max={rows}></progress>
        {mayWrite && (
          <form class="stack" method="post" action={href.continueImport(workspace, id)} data-goes-on="">
            <p class="soft">
              You may close this page: the import goes on where it was when you come back, and makes no link
              twice.
            </p>
            <div class="row">
              <button type="submit" class="primary">
                Go on
              </button>
            </div>
          </form>
        )}
      </section>
    );
  }
  return (
    <section class="card">
      <h2>Nothing has been made yet</h2>
      <p>
        {left === 0
          ? "No row of this file can be imported. Mend the file, and check it again."
          : `${count(left, "row")} would make a link${refused > 0 ? `, and ${count(refused, "row is", "rows are")} refused` : ""}.`}
      </p>
      {mayWrite && left > 0 && (
        <form method="post" action={href.continueImport(workspace, id)}>
          <button type="submit" class="primary">
            Import {count(left, "link")}
          </button>
        </form>
      )}
    </section>
  );
};

const Discard = ({ workspace, found }: Parts) => {
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

const TAGS_SHOWN = 20;

const Said = ({ found }: { found: ImportPage }) => (
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
        links: {found.tags.slice(0, TAGS_SHOWN).join(", ")}
        {found.tags.length > TAGS_SHOWN && ` and ${number(found.tags.length - TAGS_SHOWN)} more`}
      </p>
    )}
  </>
);

/** One import: what its rows would do, its progress, and what became of them. */
export function registerOneImport(app: Hono<ConsoleEnv>): void {
  app.get(paths.import, async (c) => {
    const { ctx, membership } = c.var;
    const query = readQuery(pageQuery, c);
    const found = await getImport(ctx, c.req.param("id"), query);
    const { slug: workspace } = membership.workspace;
    const mayWrite = membership.role !== "viewer";
    const parts = { workspace, found, mayWrite };
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
        <State {...parts} />
        <Said found={found} />
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
          <Rows {...parts} caption={show ? "Refused rows" : "Rows of the file"} />
        )}
        <Pager
          meta={found.meta}
          of={show ? "refused rows" : "rows, numbered as in a spreadsheet"}
          previous={page > 1 ? turn(page - 1) : undefined}
          next={page < last ? turn(page + 1) : undefined}
        />
        {mayWrite && <Discard {...parts} />}
      </div>,
    );
  });

  app.get(paths.refusedRows, async (c) => {
    const { ctx } = c.var;
    const id = c.req.param("id");
    await assertImportPath(ctx, id);
    return sendCsv(c, "refused-rows.csv", refusedRows(ctx, id));
  });

  app.post(paths.continueImport, editorsOnly, async (c) => {
    const { ctx, membership } = c.var;
    const id = c.req.param("id");
    const to = href.import(membership.workspace.slug, id);
    const result = await goOnWithImport(ctx, id);
    if ("earlier" in result) {
      return redirectWithNotice(c, href.import(membership.workspace.slug, result.earlier), SAME_ROWS);
    }
    const { made, refused } = result;
    if (!result.done) return c.redirect(to, 303);
    return redirectWithNotice(
      c,
      to,
      `${count(made, "link was", "links were")} imported, ${count(refused, "row was", "rows were")} refused.`,
    );
  });

  app.post(paths.discardImport, editorsOnly, async (c) => {
    const { ctx, membership } = c.var;
    await discardImport(ctx, c.req.param("id"));
    return redirectWithNotice(c, href.imports(membership.workspace.slug), "The import was discarded.");
  });
}
