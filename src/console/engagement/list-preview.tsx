import type { AssetList, ListRow } from "../../resources/engagement/parse-list";
import { count } from "../shell/text";

const RowProblems = ({ problems }: Pick<ListRow, "problems">) =>
  problems.length === 0 ? null : <p class="refused">{problems.join(" ")}</p>;

const Rows = ({ rows }: Pick<AssetList, "rows">) => (
  <table class="list">
    <caption class="unseen">The assets of the list</caption>
    <thead>
      <tr>
        <th scope="col">Line</th>
        <th scope="col">Name</th>
        <th scope="col">Place</th>
        <th scope="col" class="number">
          Quantity
        </th>
      </tr>
    </thead>
    <tbody>
      {rows.map(({ line, name, place, quantity, problems }) => (
        <tr>
          <td data-label="Line">{line}</td>
          <th scope="row">
            <bdi>{name}</bdi>
            <RowProblems problems={problems} />
          </th>
          <td data-label={place === "" ? undefined : "Place"}>{place === "" ? "" : <bdi>{place}</bdi>}</td>
          <td data-label={quantity === "" ? undefined : "Quantity"} class="number">
            {quantity}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

/**
 * What a list makes, with what is wrong with its lines. `slug` is the link's, if everything is right: then a button of the
 * form `formId` creates the assets.
 */
export const ListPreview = ({
  list,
  slug,
  formId,
}: {
  list: AssetList;
  slug: string | undefined;
  formId: string;
}) => {
  if (list.problem !== undefined) return null;
  const { rows, headingLine, ignored } = list;
  return (
    <section class="stack" aria-labelledby="preview">
      <h2 id="preview">
        {slug === undefined
          ? `The list has ${count(rows.length, "asset")}`
          : `${count(rows.length, "asset")} of /${slug}`}
      </h2>
      {headingLine !== undefined && (
        <p class="hint">
          Line {headingLine} names the columns.
          {ignored.length > 0 && ` Not used: ${ignored.join(", ")}.`}
        </p>
      )}
      {slug !== undefined && (
        <div class="row">
          <button type="submit" form={formId} name="do" value="create" class="primary">
            Create {count(rows.length, "asset")}
          </button>
          <span class="soft">Each gets a code of its own. Nothing has been created yet.</span>
        </div>
      )}
      <Rows rows={rows} />
    </section>
  );
};
