import type { ImportPage } from "../../resources/imports/service";
import type { Undo } from "../../resources/imports/undo";
import { href } from "../href";
import { Dangerous } from "../shell/form";
import { count, number } from "../shell/text";

interface Parts {
  workspace: string;
  found: ImportPage;
  isEditor: boolean;
}

/** What an undo has done. */
export const describeUndo = ({ archived, changed }: Undo): string =>
  `The import is undone: ${count(archived, "link is", "links are")} archived${
    changed > 0 ? `, and ${count(changed, "link changed since is", "links changed since are")} kept` : ""
  }.`;

const Rows = ({ undo: { rows, changed } }: { undo: Undo }) => {
  if (changed === 0) return null;
  const more = changed - rows.length;
  return (
    <p class="warning">
      {count(changed, "link was changed since and is", "links were changed since and are")} kept:{" "}
      {rows.length === 1 ? "row" : "rows"} {rows.map(number).join(", ")}
      {more > 0 && ` and ${number(more)} more`}.
    </p>
  );
};

/** What an undo has done, on the page of its import, and the form that restores its links. */
export const UndoOutcome = ({ found: { id, undo }, workspace, isEditor }: Parts) =>
  undo === undefined ? null : undo.restored === true ? (
    <p>It was undone, and its links were restored.</p>
  ) : (
    <>
      <p>
        {count(undo.archived, "link was", "links were")} archived.
        {undo.archived > 0 &&
          " They keep their slugs, so a file with these slugs is refused until the links are restored or deleted."}
      </p>
      <Rows undo={undo} />
      {isEditor && undo.archived > 0 && (
        <form method="post" action={href.restoreImport(workspace, id)}>
          <button type="submit">Restore the links of this import</button>
        </form>
      )}
    </>
  );

/** The undo of a finished import: the form that begins it, or how far it is. */
export const UndoImport = ({ workspace, found: { id, made, undo, status }, isEditor }: Parts) => {
  if (made === 0 || status !== "finished" || undo?.restored === true || !isEditor) return null;
  if (undo !== undefined) {
    return (
      <section class="card">
        <h2>Undoing</h2>
        <p>{count(undo.archived, "link is", "links are")} archived so far.</p>
        <Rows undo={undo} />
        <form method="post" action={href.undoImport(workspace, id)} data-goes-on="">
          <button type="submit" class="primary">
            Go on
          </button>
        </form>
      </section>
    );
  }
  return (
    <Dangerous
      summary="Undo this import"
      consequence={`Archives the ${count(made, "link")} that this import has made, as far as nobody has changed them since; the others are named. Archived links go on working, keep their slugs, and can be restored.`}
      action={href.undoImport(workspace, id)}
      button="Archive its links"
    />
  );
};
