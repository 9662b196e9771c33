import { z } from "zod";
import { getImport, type ImportPage, SHOWN_ROWS } from "../../resources/imports/import-service";
import { Dangerous } from "../shell/dangerous";
import { here, href } from "../shell/href";
import { Page } from "../shell/layout";
import { NoSuchPage, Pager } from "../shell/list-controls";
import { type PageContext, readQuery } from "../shell/page-request";
import { count, Empty, Fact, NameLink, number } from "../shell/text";
import { countsOf } from "./import-counts";
import { Progress, UndoImport } from "./import-outcome";
import { Rows } from "./import-rows";

const importQuery = z.object({
  show: z.enum(SHOWN_ROWS).default("all"),
  page: z.coerce.number().int().min(1).max(1_000).default(1),
});

/** Deletes the file and leaves its links as they are, unlike the undo. */
const Discard = ({ found }: { found: ImportPage }) => {
  const { made, updated, unchanged, status, id } = found;
  const done =
    updated + unchanged > 0
      ? `imported stays: ${count(made, "row")}`
      : `created stays: ${count(made, "link")}`;
  const again = "Sent again after that, it creates a second link of every row that has no slug.";
  const consequences = {
    checked: "The file is deleted. Nothing of it has been imported.",
    running: `What has been imported so far stays: ${count(made, updated + unchanged > 0 ? "row" : "link")}. The other rows are not imported, and the file is deleted. ${again}`,
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
const Assumed = ({ found, found: { encoding, host } }: { found: ImportPage }) => (
  <>
    {encoding !== "UTF-8" && (
      <p class="warning">
        The file is not in UTF-8, so it was read as {encoding}. If letters are wrong, save it as “CSV UTF-8”,
        and choose it again.
      </p>
    )}
    {countsOf(found).create > 0 && (
      <p>Links are created on {host}, except those whose row names another domain of the workspace.</p>
    )}
  </>
);

/** In which order dates such as 03/04/2026 are read, and why. */
const DateOrder = ({ dates }: { dates: NonNullable<ImportPage["reading"]["dates"]> }) => (
  <p>
    Dates such as {dates.example} are read with the {dates.order} first
    {dates.shownBy !== undefined && `, as ${dates.shownBy.date} in row ${number(dates.shownBy.row)} shows`}.
  </p>
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
    {found.reading.dates !== undefined && <DateOrder dates={found.reading.dates} />}
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

const SHOWN = {
  all: {
    link: "All rows",
    caption: "Rows of the file",
    of: "row",
    many: "rows, numbered as in a spreadsheet",
    none: "The file has no rows.",
  },
  refused: {
    link: "Refused rows",
    caption: "Refused rows",
    of: "refused row",
    many: "refused rows",
    none: "No row is refused.",
  },
  changes: {
    link: "New and changed",
    caption: "Rows that create or change a link",
    of: "row that creates or changes a link",
    many: "rows that create or change a link",
    none: "No row creates or changes a link.",
  },
} as const;

const rowsShown = ({ rows, refused, unchanged }: ImportPage, show: keyof typeof SHOWN): number =>
  ({ all: rows, refused, changes: rows - refused - unchanged })[show];

export async function showImport(c: PageContext): Promise<Response> {
  const { ctx, workspace, isEditor } = c.var;
  const query = readQuery(importQuery, c);
  const found = await getImport(ctx, c.req.param("id"), query);
  const warns = found.status === "checked" && found.refused > 0;
  return c.render(
    <Page title={found.name} section="import" crumbs={["import"]} class="stack" warns={warns}>
      <Progress found={found} />
      <UndoImport found={found} />
      <ForAll found={found} />
      <FileProperties found={found} />
      <nav class="row" aria-label="Which rows are shown">
        {SHOWN_ROWS.map((show) => (
          <a
            href={href.import(workspace, found.id, show === "all" ? {} : { show })}
            aria-current={show === query.show ? "page" : undefined}
          >
            {SHOWN[show].link} ({number(rowsShown(found, show))})
          </a>
        ))}
        {found.refused > 0 && (
          <a href={href.refusedRows(workspace, found.id)} download>
            Download the refused rows
          </a>
        )}
      </nav>
      {found.meta.current_page > found.meta.last_page ? (
        <NoSuchPage meta={found.meta} />
      ) : found.items.length === 0 ? (
        <Empty text={SHOWN[query.show].none} />
      ) : (
        <Rows found={found} caption={SHOWN[query.show].caption} />
      )}
      <Pager meta={found.meta} of={SHOWN[query.show].of} many={SHOWN[query.show].many} />
      {isEditor && <Discard found={found} />}
    </Page>,
  );
}
