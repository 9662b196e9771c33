import type { AssetList } from "../../resources/engagement/parse-list";
import { Table } from "../shell/table";
import { count } from "../shell/text";

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
      <Table
        caption="The assets of the list"
        rows={rows}
        columns={[
          { heading: "Line", cell: ({ line }) => line },
          {
            heading: "Name",
            isName: true,
            cell: ({ name, problems }) => (
              <>
                <bdi>{name}</bdi>
                {problems.length > 0 && <p class="refused">{problems.join(" ")}</p>}
              </>
            ),
          },
          { heading: "Place", cell: ({ place }) => place !== "" && <bdi>{place}</bdi> },
          { heading: "Quantity", kind: "number", cell: ({ quantity }) => quantity },
        ]}
      />
    </section>
  );
};
