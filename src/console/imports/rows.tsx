import { TEXT_FIELD_NAMES, TEXT_FIELDS, WINDOW_FIELD_NAMES, WINDOW_FIELDS } from "../../lib/link-fields";
import type { ImportPage, ImportRowShown } from "../../resources/imports/service";
import { href } from "../href";
import { nameOf, UserText } from "../links/link-text";
import { Badge, number } from "../shell/text";
import { HOLDER_ENDS, sayErrorsOf } from "./reasons";

const OTHER_TEXTS = TEXT_FIELD_NAMES.filter((name) => name !== "title");

interface Parts {
  workspace: string;
  found: ImportPage;
}

const WILL: Readonly<Record<ImportPage["status"], string>> = {
  checked: "Will be made",
  running: "Waits",
  finished: "Waits",
  undone: "Waits",
};

const Holder = ({
  workspace,
  holder,
}: {
  workspace: string;
  holder: NonNullable<ImportRowShown["holder"]>;
}) => (
  <>
    {" "}
    {holder.isArchived ? "The archived link" : "The link"}{" "}
    <a href={href.link(workspace, holder.id)}>
      <UserText text={nameOf(holder)} />
    </a>
    {HOLDER_ENDS[holder.isArchived ? "archived" : "active"]}
  </>
);

const Outcome = ({ row: { errors, holder, link }, workspace, found }: { row: ImportRowShown } & Parts) => {
  if (errors.length > 0) {
    return (
      <>
        <Badge of="refused" /> {sayErrorsOf(errors)}
        {holder !== null && <Holder workspace={workspace} holder={holder} />}
      </>
    );
  }
  if (link === null) return <>{WILL[found.status]}</>;
  if (link.status === "deleted") return <>Made, deleted since</>;
  const isArchivedAgain = found.status === "undone" && link.status === "archived";
  return <a href={href.link(workspace, link.id)}>{isArchivedAgain ? "Archived" : "Made"}</a>;
};

/** The rows of an import with their outcomes. */
export const Rows = ({ workspace, found, caption }: Parts & { caption: string }) => (
  <table class="list shared">
    <caption class="unseen">{caption}</caption>
    <thead>
      <tr>
        <th scope="col">Row</th>
        <th scope="col">Slug</th>
        <th scope="col">Destination</th>
        <th scope="col">Title and more</th>
        <th scope="col">Outcome</th>
      </tr>
    </thead>
    <tbody>
      {found.items.map((row) => (
        <tr>
          <th scope="row" data-label="Row">
            {number(row.number)}
          </th>
          <td data-label="Slug">{row.cells.slug ?? <span class="soft">generated</span>}</td>
          <td data-label="Destination">{row.cells.destination_url}</td>
          <td data-label="Title and more">
            {[
              row.cells.title,
              row.cells.old_slugs && `Old slugs: ${row.cells.old_slugs}`,
              row.cells.activity_group && `Group: ${row.cells.activity_group}`,
              row.cells.tags && `Tags: ${row.cells.tags}`,
              ...OTHER_TEXTS.map(
                (name) => row.cells[name] && `${TEXT_FIELDS[name].label}: ${row.cells[name]}`,
              ),
              row.cells.utm_campaign && `utm_campaign: ${row.cells.utm_campaign}`,
              ...WINDOW_FIELD_NAMES.map(
                (name) => row.cells[name] && `${WINDOW_FIELDS[name].label}: ${row.cells[name]}`,
              ),
              row.cells.status === "archived" && "Archived",
            ]
              .filter(Boolean)
              .map((text) => (
                <div>{text}</div>
              ))}
          </td>
          <td data-label="Outcome">
            <Outcome row={row} workspace={workspace} found={found} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);
