import {
  FORM_FIELD_NAMES,
  FORM_FIELDS,
  TEXT_FIELD_NAMES,
  TEXT_FIELDS,
  WINDOW_FIELD_NAMES,
  WINDOW_FIELDS,
} from "../../lib/link-fields";
import type { ImportPage, ImportRowShown } from "../../resources/imports/service";
import { nameOf } from "../links/link-text";
import { sayOfCell } from "../shell/error-labels";
import { here } from "../shell/href";
import { Table } from "../shell/table";
import { Badge, NameLink, number } from "../shell/text";

/** What is said of the link that has a row's slug, before and after its name. */
const HOLDER_TEXTS = {
  active: { before: "The link", after: " has it." },
  archived: { before: "The archived link", after: " has it: restore or delete it." },
};

const sayErrorsOf = (errors: ImportRowShown["errors"]): string =>
  errors.map(({ field, message }) => sayOfCell(field, message)).join(" ");

/** Why a row is refused, as a text. */
export function reasonOf({ errors, holder }: ImportRowShown): string {
  const said = sayErrorsOf(errors);
  if (holder === null) return said;
  const { before, after } = HOLDER_TEXTS[holder.isArchived ? "archived" : "active"];
  return `${said} ${before} “${nameOf(holder)}”${after}`;
}

const OTHER_TEXTS = TEXT_FIELD_NAMES.filter((name) => name !== "title");

const Holder = ({ holder }: { holder: NonNullable<ImportRowShown["holder"]> }) => {
  const { before, after } = HOLDER_TEXTS[holder.isArchived ? "archived" : "active"];
  return (
    <>
      {` ${before} `}
      <NameLink to={here.link(holder.id)} name={nameOf(holder)} />
      {after}
    </>
  );
};

const Outcome = ({ row: { errors, holder, link }, found }: { row: ImportRowShown; found: ImportPage }) => {
  if (errors.length > 0) {
    return (
      <>
        <Badge of="refused" /> {sayErrorsOf(errors)}
        {holder !== null && <Holder holder={holder} />}
      </>
    );
  }
  if (link === null) return <>{found.status === "checked" ? "Will be made" : "Waits"}</>;
  if (link.status === "deleted") return <>Made, deleted since</>;
  const isArchivedAgain = found.status === "undone" && link.status === "archived";
  return <a href={here.link(link.id)}>{isArchivedAgain ? "Archived" : "Made"}</a>;
};

/** What a row says besides its slug and destination, a line each. */
const linesOf = ({ cells }: ImportRowShown) =>
  [
    cells.title,
    cells.old_slugs && `Old slugs: ${cells.old_slugs}`,
    cells.activity_group && `Group: ${cells.activity_group}`,
    cells.tags && `Tags: ${cells.tags}`,
    ...OTHER_TEXTS.map((name) => cells[name] && `${TEXT_FIELDS[name].label}: ${cells[name]}`),
    cells.utm_campaign && `utm_campaign: ${cells.utm_campaign}`,
    ...WINDOW_FIELD_NAMES.map((name) => cells[name] && `${WINDOW_FIELDS[name].label}: ${cells[name]}`),
    ...FORM_FIELD_NAMES.map((name) => cells[name] && `${FORM_FIELDS[name].label}: ${cells[name]}`),
    cells.status === "archived" && "Archived",
  ].filter(Boolean);

/** The rows of an import with their outcomes. */
export const Rows = ({ found, caption }: { found: ImportPage; caption: string }) => (
  <Table
    layout="shared"
    caption={caption}
    rows={found.items}
    columns={[
      { heading: "Row", label: "Row", isName: true, cell: (row) => number(row.number) },
      { heading: "Slug", cell: ({ cells }) => cells.slug ?? <span class="soft">generated</span> },
      { heading: "Destination", cell: ({ cells }) => cells.destination_url },
      {
        heading: "Title and more",
        label: "Title and more",
        cell: (row) => (
          <>
            {linesOf(row).map((line) => (
              <div>{line}</div>
            ))}
          </>
        ),
      },
      { heading: "Outcome", cell: (row) => <Outcome row={row} found={found} /> },
    ]}
  />
);
