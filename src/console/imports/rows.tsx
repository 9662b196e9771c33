import type { ImportPage, ImportRowShown } from "../../imports/service";
import { LIFE_FIELD_NAMES, LIFE_FIELDS, TEXT_FIELD_NAMES, TEXT_FIELDS } from "../../lib/link-fields";
import { href } from "../href";
import { sayOfCell } from "../links/sentences";
import { Badge, number } from "../shell/text";

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

const Outcome = ({ row, workspace, found }: { row: ImportRowShown } & Parts) => {
  if (row.errors.length > 0) {
    return (
      <>
        <Badge of="refused" /> {row.errors.map(({ field, message }) => sayOfCell(field, message)).join(" ")}
      </>
    );
  }
  if (row.link !== null) return <a href={href.link(workspace, row.link)}>Made</a>;
  return <>{WILL[found.status]}</>;
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
              ...LIFE_FIELD_NAMES.map(
                (name) => row.cells[name] && `${LIFE_FIELDS[name].label}: ${row.cells[name]}`,
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
