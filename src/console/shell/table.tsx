import type { Child } from "hono/jsx";
import { thisPage } from "./href";
import { Empty } from "./text";

export interface Column<Row> {
  heading: Child;
  cell: (row: Row) => Child;
  /** What narrow screens show before the cell, if not the heading. */
  label?: string;
  /** How the rows are sorted by it, if they are. */
  sorted?: "ascending" | "descending" | undefined;
  /** Whether its cells are the headings of their rows. */
  isName?: true;
  /** Narrow screens show the label of numbers, and of what is labelled. */
  kind?: "number" | "labelled" | "nowrap" | "pick" | "sorted" | "created" | "visits";
}

/** Narrow screens show no label for an empty cell, or for a heading that is more than text. */
function labelOf<Row>({ heading, label }: Column<Row>, content: Child): string | undefined {
  if (content == null || content === false || content === "") return undefined;
  return label ?? (typeof heading === "string" ? heading : undefined);
}

/** A heading that sorts the list by its column, in the other direction if it is sorted by it already. `-` is for descending. */
export const sortable = (heading: string, sort: string, by: string, reversed = by) =>
  ({
    heading: (
      <a
        class="plain"
        href={thisPage({ sort: sort === by ? reversed : by, page: undefined, after: undefined })}
      >
        {heading}
      </a>
    ),
    sorted:
      sort === by || sort === reversed ? (sort.startsWith("-") ? "descending" : "ascending") : undefined,
  }) as const;

/** A list with a row for each of its items, or with a text in its place. Narrow screens show each row as a block. */
export const Table = <Row,>({
  caption,
  rows,
  columns,
  layout,
  empty,
}: {
  caption: string;
  rows: readonly Row[];
  /** A page leaves out a column with `false`. */
  columns: readonly (Column<Row> | false)[];
  /** Bars of shares, columns that share the width, names with long texts, the list of links, or fields. */
  layout?: "shares" | "shared" | "pairs" | "links" | "several";
  /** What is shown without a row. */
  empty?: string;
}) => {
  if (empty !== undefined && rows.length === 0) return <Empty text={empty} />;
  const shown = columns.filter((column) => column !== false);
  return (
    <table class={layout === undefined ? "list" : `list ${layout}`}>
      <caption class="unseen">{caption}</caption>
      <thead>
        <tr>
          {shown.map(({ heading, kind, sorted }) => (
            <th
              scope="col"
              class={kind === "number" || kind === "visits" ? kind : undefined}
              aria-sort={sorted}
            >
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr>
            {shown.map((column) => {
              const content = column.cell(row);
              return column.isName === true ? (
                <th scope="row" data-label={column.label}>
                  {content}
                </th>
              ) : (
                <td data-label={labelOf(column, content)} class={column.kind}>
                  {content}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
};
