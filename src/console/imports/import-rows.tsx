import type { Child } from "hono/jsx";
import { damageOf } from "../../lib/damaged-address";
import {
  FORM_FIELD_NAMES,
  FORM_FIELDS,
  MOMENT_FIELD_NAMES,
  MOMENT_FIELDS,
  TEXT_FIELD_NAMES,
  TEXT_FIELDS,
  URL_FIELDS,
} from "../../lib/link-fields";
import type { ImportPage, ImportRowShown } from "../../resources/imports/import-service";
import { FromTo, fieldText, Value } from "../changes/field-change";
import { There } from "../links/address-notes";
import { sayOfCell } from "../shell/error-labels";
import { here } from "../shell/href";
import { Table } from "../shell/table";
import { Badge, number } from "../shell/text";

export const reasonOf = ({ errors }: Pick<ImportRowShown, "errors">): string =>
  errors.map(sayOfCell).join(" ");

/** The title has a line of its own. */
export const OTHER_TEXTS = TEXT_FIELD_NAMES.filter((name) => name !== "title");

/** Lines of a row that are shown on demand. */
const More = ({ summary, children }: { summary: string; children: Child }) => (
  <details class="small">
    <summary>{summary}</summary>
    {children}
  </details>
);

/** What a row changes or has changed in its link, a line each. */
const Update = ({ update, said }: { update: NonNullable<ImportRowShown["update"]>; said: string }) => {
  if (update.changes.length === 0) return <a href={here.link(update.link)}>No change</a>;
  const lines = update.changes.map(([field, was, will]) => (
    <span class="block">
      {fieldText(field)}: <FromTo field={field} was={was} is={will} />
    </span>
  ));
  return (
    <>
      <a href={here.link(update.link)}>{said}</a>
      {lines.length === 1 ? (
        lines
      ) : (
        <More summary={update.changes.map(([field]) => fieldText(field)).join(", ")}>{lines}</More>
      )}
    </>
  );
};

/** Why a row is refused, with the links that are in the way. */
const Refused = ({ errors }: Pick<ImportRowShown, "errors">) => (
  <>
    <Badge of="refused" />
    {errors.map((failure) => (
      <>
        {` ${sayOfCell(failure)} `}
        {failure.conflict !== undefined && <a href={here.link(failure.conflict)}>See the link</a>}
      </>
    ))}
  </>
);

/** What is said of a row that changes a link. After an undo the page says what became of it. */
const DONE = {
  checked: "Will be changed",
  running: "Changed",
  finished: "Changed",
  undone: "Changed before the undo",
} as const;

const Outcome = ({ row: { errors, link, update }, found }: { row: ImportRowShown; found: ImportPage }) => {
  if (errors.length > 0) return <Refused errors={errors} />;
  if (update !== null && (link !== null || found.status === "checked"))
    return <Update update={update} said={DONE[found.status]} />;
  if (link === null) return <>{found.status === "checked" ? "Will be created" : "Waits"}</>;
  if (link.status === "deleted") return <>Created, deleted since</>;
  const isArchivedAgain = found.status === "undone" && link.status === "archived";
  return <a href={here.link(link.id)}>{isArchivedAgain ? "Archived" : "Created"}</a>;
};

/** A day or time as it was read, or else as it stands in the file. */
const When = ({ field, label, time }: { field: string; label: string; time: string }) => (
  <>
    {label}: <Value field={field} text={time} />
  </>
);

/** What a row says besides its slug and destination, a line each. */
const linesOf = ({ cells }: ImportRowShown) =>
  [
    cells.title,
    cells.old_slugs && `Old slugs: ${cells.old_slugs}`,
    cells.activity_group && `Group: ${cells.activity_group}`,
    cells.tags && `Tags: ${cells.tags}`,
    ...OTHER_TEXTS.map((name) => cells[name] && `${TEXT_FIELDS[name].label}: ${cells[name]}`),
    cells.utm_campaign && `utm_campaign: ${cells.utm_campaign}`,
    ...MOMENT_FIELD_NAMES.map(
      (name) => cells[name] && <When field={name} label={MOMENT_FIELDS[name].label} time={cells[name]} />,
    ),
    cells.ended_url && `${URL_FIELDS.ended_url.label}: ${cells.ended_url}`,
    ...FORM_FIELD_NAMES.map((name) => cells[name] && `${FORM_FIELDS[name].label}: ${cells[name]}`),
    cells.created_at && <When field="created_at" label="Created" time={cells.created_at} />,
    cells.clicks_before && `Clicks before the move: ${cells.clicks_before}`,
    cells.status === "archived" && "Archived",
  ].filter(Boolean);

/** A row with more has a line, and the others on demand. */
const MAX_LINES = 2;

export const Rows = ({ found, caption }: { found: ImportPage; caption: string }) => (
  <Table
    layout="shared"
    caption={caption}
    rows={found.items}
    columns={[
      { heading: "Row", label: "Row", isName: true, cell: (row) => number(row.number) },
      {
        heading: "Slug",
        cell: ({ host, slug, update }) =>
          slug === undefined
            ? update === null && <span class="soft">generated{host && ` on ${host}`}</span>
            : host === undefined
              ? slug
              : `${host}/${slug}`,
      },
      {
        heading: "Destination",
        cell: ({ cells: { destination_url: url = "" }, there }) => (
          <>
            {url}
            {damageOf(url)?.says.map((sentence) => (
              <div class="small refused">{sentence}</div>
            ))}
            {there && (
              <div class="small soft">
                <There there={there} />
              </div>
            )}
          </>
        ),
      },
      {
        heading: "Title and more",
        label: "Title and more",
        cell: (row) => {
          const lines = linesOf(row).map((line) => <span class="block">{line}</span>);
          if (lines.length <= MAX_LINES) return <>{lines}</>;
          return (
            <>
              {lines[0]}
              <More summary={`${lines.length - 1} more`}>{lines.slice(1)}</More>
            </>
          );
        },
      },
      {
        heading: "Outcome",
        cell: (row) => (
          <>
            <Outcome row={row} found={found} />
            {row.hasEnded && row.errors.length === 0 && (
              <div class="small refused">The link has ended already: its end is in the past.</div>
            )}
          </>
        ),
      },
    ]}
  />
);
