import { ROWS_PER_REQUEST, ROWS_PER_RUN } from "../../resources/imports/continue-import";
import type { ImportPage } from "../../resources/imports/import-service";
import { ActionForm, Button, ButtonLink, PostButton, Undo } from "../shell/button";
import { Dangerous } from "../shell/dangerous";
import { here } from "../shell/href";
import { currentPage } from "../shell/page-request";
import { Card, count, number } from "../shell/text";
import { countsOf, endedText, importLabel, listed } from "./import-counts";

/** What has become of the links of an import that was undone. */
const Undone = ({ id }: { id: string }) => (
  <>
    <p>
      This import was undone. Its links are archived, or have their previous values again, except those that
      somebody had changed. Archived links keep their slugs, so a file with these slugs is refused until the
      links are restored or deleted.
    </p>
    {currentPage().var.isEditor && (
      <>
        <p>You can restore them to what the import made of them.</p>
        <Undo operation={id} label="Restore the links of this import" />
      </>
    )}
  </>
);

const theLinks = (links: number): string => (links === 1 ? "the link" : `the ${count(links, "link")}`);

/** What the undo of an import does to its links. */
function undoingOf(created: number, updated: number): string {
  const doings = [
    created > 0 && `archives ${theLinks(created)} that the import created`,
    updated > 0 &&
      `gives ${theLinks(updated)} that ${created > 0 ? "it" : "the import"} changed the previous values again`,
  ].filter(Boolean);
  const but =
    created + updated === 1
      ? "unless somebody has changed it since"
      : "except those that somebody has changed since, which are named";
  const archived =
    created === 1
      ? " An archived link goes on working, keeps its slug, and can be restored."
      : " Archived links go on working, keep their slugs, and can be restored.";
  return `This ${doings.join(", and ")}, ${but}.${created > 0 ? archived : ""}`;
}

/** The form that undoes a finished import, which is a change of many links with the id of the import. */
export const UndoImport = ({ found }: { found: ImportPage }) => {
  const { id, made, updated, unchanged, restored, status } = found;
  if (made <= unchanged || status !== "finished" || restored || !currentPage().var.isEditor) return null;
  const created = made - updated - unchanged;
  return (
    <Dangerous
      summary="Undo this import: take its links back"
      consequence={undoingOf(created, updated)}
      action={here.undoImport(id)}
      button={updated > 0 ? "Undo the import" : `Archive its ${created === 1 ? "link" : "links"}`}
    />
  );
};

/** What has become of the rows. */
const Finished = ({ found }: { found: ImportPage }) => {
  const { id, status, made, refused, updated, unchanged, restored } = found;
  const created = made - updated - unchanged;
  return (
    <Card id="outcome" title={status === "undone" ? "Undone" : "Finished"}>
      {status === "undone" && <Undone id={id} />}
      {restored && <p>It was undone, and its links were restored.</p>}
      <p>
        {listed([
          created > 0 && count(created, "link was created", "links were created"),
          updated > 0 && count(updated, "link was changed", "links were changed"),
          unchanged > 0 && `${count(unchanged, "row")} changed nothing`,
          refused > 0 && count(refused, "row was refused", "rows were refused"),
        ]) || "No link was created"}
        .
      </p>
      <p>
        <ButtonLink to={here.links({ import: id, status: "all" })} label="Show its links" />
      </p>
    </Card>
  );
};

/** How far it is. */
const Running = ({ found }: { found: ImportPage }) => {
  const { id, made, refused, rows } = found;
  const { isEditor, ctx } = currentPage().var;
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
        No link is created twice.
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
              label={`Import the next ${number(Math.min(rows - made - refused, ROWS_PER_REQUEST))} now`}
              kind="primary"
            />
          </div>
        </ActionForm>
      )}
    </section>
  );
};

/** What it would do. There is no button if that is nothing. */
const Checked = ({ found }: { found: ImportPage }) => {
  const counts = countsOf(found);
  const { create, change, nothing, refused } = counts;
  const label = importLabel(counts);
  if (label === undefined) {
    return (
      <Card id="outcome" title="Nothing to import">
        {nothing === 0 ? (
          <p>No row of this file can be imported. Mend the file, and check it again.</p>
        ) : (
          <p>
            {count(nothing, "row", "rows")} would change nothing, as{" "}
            {nothing === 1 ? "its link has" : "their links have"} these values already
            {refused > 0 && `, and ${count(refused, "row is", "rows are")} refused`}.
          </p>
        )}
      </Card>
    );
  }
  const ended = endedText(found.ended);
  return (
    <Card id="outcome" title="Nothing is imported yet">
      <p>
        {listed([
          create > 0 && `${count(create, "row")} would create a link`,
          change > 0 && `${count(change, "row")} would change ${create > 0 ? "one" : "a link"}`,
          nothing > 0 && `${count(nothing, "row")} would change nothing`,
          refused > 0 && count(refused, "row is refused", "rows are refused"),
        ])}
        .{ended !== undefined && ` ${ended}`}
      </p>
      {currentPage().var.isEditor && (
        <PostButton to={here.continueImport(found.id)} label={label} kind="primary" />
      )}
    </Card>
  );
};

/** What an import would do, how far it is, or what it has done. */
export const Progress = ({ found }: { found: ImportPage }) => {
  if (found.status === "checked") return <Checked found={found} />;
  return found.status === "running" ? <Running found={found} /> : <Finished found={found} />;
};
