import { z } from "zod";
import { ROWS_PER_REQUEST, ROWS_PER_RUN } from "../../resources/imports/continue-import";
import { getImport, type ImportPage } from "../../resources/imports/import-service";
import { ActionForm, Button, ButtonLink, PostButton, Undo } from "../shell/button";
import { Dangerous } from "../shell/dangerous";
import { here, href } from "../shell/href";
import { Page } from "../shell/layout";
import { NoSuchPage, Pager } from "../shell/list-controls";
import { currentPage, type PageContext, readQuery } from "../shell/page-request";
import { Card, count, Empty, Fact, NameLink, number } from "../shell/text";
import { Rows } from "./import-rows";

/** What has become of the links of an import that was undone. */
const Undone = ({ id }: { id: string }) => (
  <>
    <p>
      Its links are archived, or have their previous values again, except those that somebody had changed.
      Archived links keep their slugs, so a file with these slugs is refused until the links are restored or
      deleted.
    </p>
    {currentPage().var.isEditor && <Undo operation={id} label="Restore the links of this import" />}
  </>
);

/** The form that undoes a finished import, which is a change of many links with the id of the import. */
const UndoImport = ({ found }: { found: ImportPage }) => {
  const { id, made, updated, unchanged, restored, status } = found;
  if (made === unchanged || status !== "finished" || restored || !currentPage().var.isEditor) return null;
  return (
    <Dangerous
      summary="Undo this import: take its links back"
      consequence={`Archives the ${count(made - updated - unchanged, "link")} that this import has made${updated > 0 ? ` and gives the ${count(updated, "link")} that it has updated the previous values again` : ""}, as far as nobody has changed them since; the others are named. Archived links go on working, keep their slugs, and can be restored.`}
      action={here.undoImport(id)}
      button={updated > 0 ? "Undo the import" : "Archive its links"}
    />
  );
};

/** What an import would do, how far it is, or what it has done. */
const Progress = ({ found }: { found: ImportPage }) => {
  const { id, status, made, refused, rows, updated, unchanged, restored } = found;
  const { isEditor, ctx } = currentPage().var;
  const left = rows - made - refused;
  if (status === "finished" || status === "undone") {
    return (
      <Card id="outcome" title={status === "undone" ? "Undone" : "Finished"}>
        {status === "undone" && <Undone id={id} />}
        {restored && <p>It was undone, and its links were restored.</p>}
        <p>
          {count(made - updated - unchanged, "link was", "links were")} made
          {updated > 0 && `, ${count(updated, "link was", "links were")} updated`}
          {unchanged > 0 && `, ${count(unchanged, "row", "rows")} changed nothing`}
          {refused > 0 && <>, and {count(refused, "row was", "rows were")} refused</>}.
        </p>
        <p>
          <ButtonLink to={here.links({ import: id, status: "all" })} label="Show its links" />
        </p>
      </Card>
    );
  }
  if (status === "running") {
    return (
      <section class="card" data-follows="">
        <h2>Importing</h2>
        <label for="progress">
          {number(made + refused)} of {count(rows, "row")} done
        </label>
        <progress id="progress" value={made + refused} max={rows}></progress>
        <p class="soft">
          {found.actor !== null
            ? `It goes on by itself, also when this page is closed: up to ${ROWS_PER_RUN} rows a minute.`
            : "It waits until somebody goes on with it, as the person who started it may no longer edit links."}{" "}
          No link is made twice.
        </p>
        {isEditor && (
          <ActionForm
            class="stack"
            method="post"
            action={here.continueImport(id)}
            data-goes-on={found.actor === ctx.actor ? "" : undefined}
          >
            <div class="row">
              <Button
                label={`Import the next ${number(Math.min(left, ROWS_PER_REQUEST))} now`}
                kind="primary"
              />
            </div>
          </ActionForm>
        )}
      </section>
    );
  }
  return (
    <Card id="outcome" title="No link has been made yet">
      <p>
        {left === 0
          ? "No row of this file can be imported. Mend the file, and check it again."
          : `${count(left - updated - unchanged, "row")} would make a link${updated > 0 ? `, ${count(updated, "row")} would update one` : ""}${unchanged > 0 ? `, ${count(unchanged, "row")} would change nothing` : ""}${refused > 0 ? `, and ${count(refused, "row is", "rows are")} refused` : ""}.`}
      </p>
      {isEditor && left > 0 && (
        <PostButton
          to={here.continueImport(id)}
          label={`Import ${count(left, updated + unchanged > 0 ? "row" : "link")}`}
          kind="primary"
        />
      )}
    </Card>
  );
};

const importQuery = z.object({
  show: z.enum(["all", "refused"]).default("all"),
  page: z.coerce.number().int().min(1).max(1_000).default(1),
});

/** Deletes the file and leaves its links as they are, unlike the undo. */
const Discard = ({ found }: { found: ImportPage }) => {
  const { made, updated, unchanged, status, id } = found;
  const done =
    updated + unchanged > 0 ? `imported stays: ${count(made, "row")}` : `made stays: ${count(made, "link")}`;
  const again = "Sent again after that, it makes a second link of every row that has no slug.";
  const consequences = {
    checked: "The file is deleted. No link has been made of it.",
    running: `What has been made so far stays: ${count(made, "link")}. The other rows are not imported, and the file is deleted. ${again}`,
    finished: `What has been ${done}. The file is deleted, so the import can no longer be undone here. ${again}`,
    undone: "Its links stay as they are now. The file is deleted.",
  };
  return (
    <Dangerous
      summary={status === "checked" ? "Discard this file" : "Discard the file, and keep its links"}
      consequence={consequences[status]}
      action={here.discardImport(id)}
      button="Discard the file"
    />
  );
};

const MAX_TAGS = 20;

/** What every new link of the file gets. */
const ForAll = ({ found: { forAll } }: { found: ImportPage }) =>
  forAll === undefined || (forAll.group === null && forAll.tags.length === 0) ? null : (
    <dl class="facts">
      {forAll.group !== null && (
        <Fact name="Group of every row without its own">
          <NameLink to={here.group(forAll.group.id)} name={forAll.group.name} />
        </Fact>
      )}
      {forAll.tags.length > 0 && <Fact name="Tags of every row, with its own">{forAll.tags.join(", ")}</Fact>}
    </dl>
  );

/** How the file was read where it does not say so itself. */
const Assumed = ({ found: { encoding, host, reading } }: { found: ImportPage }) => (
  <>
    {encoding !== "UTF-8" && (
      <p class="warning">
        The file is not in UTF-8, so it was read as {encoding}. If letters are wrong, save it as “CSV UTF-8”,
        and choose it again.
      </p>
    )}
    {reading.dates !== undefined && (
      <p class="warning">
        Dates such as {reading.dates.example} were read with the {reading.dates.order} first.
      </p>
    )}
    <p>Links are made on {host}, except those whose row names another domain of the workspace.</p>
  </>
);

/** The columns that are ignored, and the tags that will be made. */
const FileProperties = ({ found }: { found: ImportPage }) => (
  <>
    {found.ignored.length > 0 && (
      <p class="warning">
        {found.ignored.length === 1 ? "This column is" : "These columns are"} ignored:{" "}
        {found.ignored.join(", ")}
      </p>
    )}
    {found.status === "checked" && <Assumed found={found} />}
    {found.tags.length > 0 && found.status === "checked" && (
      <p>
        {found.tags.length === 1 ? "A new tag is" : `${number(found.tags.length)} new tags are`} made with the
        links: {found.tags.slice(0, MAX_TAGS).join(", ")}
        {found.tags.length > MAX_TAGS && ` and ${number(found.tags.length - MAX_TAGS)} more`}
      </p>
    )}
  </>
);

export async function showImport(c: PageContext): Promise<Response> {
  const { ctx, workspace, isEditor } = c.var;
  const query = readQuery(importQuery, c);
  const found = await getImport(ctx, c.req.param("id"), query);
  const show = query.show === "refused" ? query.show : undefined;
  return c.render(
    <Page title={found.name} section="import" crumbs={["import"]} class="stack">
      <Progress found={found} />
      <UndoImport found={found} />
      <ForAll found={found} />
      <FileProperties found={found} />
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
      {found.meta.current_page > found.meta.last_page ? (
        <NoSuchPage meta={found.meta} />
      ) : found.items.length === 0 ? (
        <Empty text="No row is refused." />
      ) : (
        <Rows found={found} caption={show ? "Refused rows" : "Rows of the file"} />
      )}
      <Pager
        meta={found.meta}
        of={show ? "refused row" : "row"}
        many={show ? "refused rows" : "rows, numbered as in a spreadsheet"}
      />
      {isEditor && <Discard found={found} />}
    </Page>,
  );
}
