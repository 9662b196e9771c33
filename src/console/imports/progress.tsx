import type { ImportPage } from "../../imports/service";
import { href } from "../href";
import { count, number } from "../shell/text";

interface Props {
  workspace: string;
  found: ImportPage;
  isEditor: boolean;
}

/** What an import would do, how far it is, or what it has done. */
export const Progress = ({ workspace, found, isEditor }: Props) => {
  const { id, status, made, refused, rows } = found;
  const left = rows - made - refused;
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
          {number(made + refused)} of {count(rows, "row")} done
        </label>
        <progress id="progress" value={made + refused} max={rows}></progress>
        {isEditor && (
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
