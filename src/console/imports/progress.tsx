import { ROWS_PER_REQUEST, ROWS_PER_RUN } from "../../resources/imports/continue";
import type { ImportPage } from "../../resources/imports/service";
import { Button, ButtonLink, PostButton, Undo } from "../shell/button";
import { Dangerous } from "../shell/form";
import { here } from "../shell/href";
import { currentPage } from "../shell/request";
import { count, number } from "../shell/text";

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
export const UndoImport = ({ found }: { found: ImportPage }) => {
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
export const Progress = ({ found }: { found: ImportPage }) => {
  const { id, status, made, refused, rows, updated, unchanged, restored } = found;
  const { isEditor } = currentPage().var;
  const left = rows - made - refused;
  if (status === "finished" || status === "undone") {
    return (
      <section class="card">
        <h2>{status === "undone" ? "Undone" : "Finished"}</h2>
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
      </section>
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
          {found.goesOn
            ? `It goes on by itself, also when this page is closed: up to ${ROWS_PER_RUN} rows a minute.`
            : "It waits until somebody goes on with it, as the person who started it may no longer edit links."}{" "}
          No link is made twice.
        </p>
        {isEditor && (
          <form class="stack" method="post" action={here.continueImport(id)} data-goes-on="">
            <div class="row">
              <Button
                label={`Import the next ${number(Math.min(left, ROWS_PER_REQUEST))} now`}
                kind="primary"
              />
            </div>
          </form>
        )}
      </section>
    );
  }
  return (
    <section class="card">
      <h2>No link has been made yet</h2>
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
    </section>
  );
};
