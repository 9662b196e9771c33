import { ROWS_PER_REQUEST, ROWS_PER_RUN } from "../../resources/imports/continue";
import type { ImportPage } from "../../resources/imports/service";
import { href } from "../href";
import { count, number } from "../shell/text";
import { UndoOutcome } from "./undo";

interface Props {
  workspace: string;
  found: ImportPage;
  isEditor: boolean;
}

/** What an import would do, how far it is, or what it has done. */
export const Progress = ({ workspace, found, isEditor }: Props) => {
  const { id, status, made, refused, rows } = found;
  const left = rows - made - refused;
  if (status === "finished" || status === "undone") {
    return (
      <section class="card">
        <h2>{status === "undone" ? "Undone" : "Finished"}</h2>
        {(status === "undone" || found.undo?.restored === true) && (
          <UndoOutcome workspace={workspace} found={found} isEditor={isEditor} />
        )}
        <p>
          {count(made, "link was", "links were")} made
          {refused > 0 && <>, and {count(refused, "row was", "rows were")} refused</>}.
        </p>
        <p>
          <a class="button" href={href.links(workspace, { import: id, status: "all" })}>
            Show its links
          </a>
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
          <form class="stack" method="post" action={href.continueImport(workspace, id)} data-goes-on="">
            <div class="row">
              <button type="submit" class="primary">
                Import the next {number(Math.min(left, ROWS_PER_REQUEST))} now
              </button>
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
          : `${count(left, "row")} would make a link${refused > 0 ? `, and ${count(refused, "row is", "rows are")} refused` : ""}.`}
      </p>
      {isEditor && left > 0 && (
        <form method="post" action={href.continueImport(workspace, id)}>
          <button type="submit" class="primary">
            Import {count(left, "link")}
          </button>
        </form>
      )}
    </section>
  );
};
