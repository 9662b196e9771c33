import { isDay } from "../../lib/days";
import { parseJsonObject } from "../../lib/json";
import type { AuditEntry } from "../../resources/audit/audit-service";
import { ShownDate } from "../shell/date-field";
import { Time, words } from "../shell/text";
import { zoneText } from "../shell/zone-text";
import texts from "./change-texts.json";

// What an entry changes, field by field, as pages write it.

const FIELDS: Readonly<Record<string, string>> = texts.fields;
const FIELDS_OF_GROUP: Readonly<Record<string, string>> = texts.fields_of_group;
const OWN_SENTENCE = /^(unknown|ended)_([a-z]{2})$/;
const LANGUAGES = new Intl.DisplayNames("en-GB", { type: "language" });

/** A field's name as people read it. `kind` is that of the subject. */
export function fieldText(field: string, kind = "link"): string {
  const [, page, language] = OWN_SENTENCE.exec(field) ?? [];
  if (page !== undefined && language !== undefined)
    return `Sentence for ${page} links, in ${LANGUAGES.of(language)}`;
  const named = (kind === "group" ? FIELDS_OF_GROUP[field] : undefined) ?? FIELDS[field];
  return named ?? words(field).replace(/^Utm /, "UTM ");
}

/** Fields that are on or off. */
const SWITCHES: ReadonlySet<string> = new Set([
  ...["is_on", "ends_links", "follows_dates"],
  ...["scans_name_asset", "shares_reports", "shows_name"],
]);

const isOn = (text: string): boolean => text === "true" || text === "1";

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z$/;
/** The times in the text of a rule. */
const TIMES_OF_RULE = /((?<=\b(?:from|until) )\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z)/;

/** Networks are stored as a JSON list. */
const listText = (json: string): string =>
  Object.values(parseJsonObject(`{"list":${json}}`)?.["list"] ?? {}).join(", ") || json;

const Shown = ({ field, text }: { field: string; text: string }) => {
  if (SWITCHES.has(field)) return <>{isOn(text) ? "on" : "off"}</>;
  if (field === "time_zone") return <>{zoneText(text)}</>;
  if (field === "own_networks") return <bdi>{listText(text)}</bdi>;
  if (field === "type") return <>{text.replaceAll("_", " ")}</>;
  const isTime = ISO_TIME.test(text);
  if ((field === "starts_at" || field === "ends_at") && (isTime || isDay(text)))
    return <ShownDate name={field} date={text} />;
  if (isTime) return <Time at={text} exact />;
  if (field !== "rules") return <bdi>{text}</bdi>;
  const parts = text.split(TIMES_OF_RULE);
  return <bdi>{parts.map((part) => (ISO_TIME.test(part) ? <Time at={part} exact /> : part))}</bdi>;
};

type Text = string | null | undefined;

/** A value of a field. */
export const Value = ({ field, text }: { field: string; text: Text }) =>
  text == null ? <span class="soft">nothing</span> : <Shown field={field} text={text} />;

export const FromTo = ({
  field,
  was,
  note = false,
  is,
}: {
  field: string;
  was: Text;
  /** Where the value before comes from, if not from the subject itself. */
  note?: string | false | undefined;
  is: Text;
}) => (
  <>
    <span class="unseen">from </span>
    <del>
      <Value field={field} text={was} />
    </del>
    {note !== false && <span class="soft"> ({note})</span>}
    <span aria-hidden="true"> → </span>
    <span class="unseen"> to </span>
    <ins>
      <Value field={field} text={is} />
    </ins>
  </>
);

type FieldChange = AuditEntry["fieldChanges"][number];

const MAX_SHORT = 60;
const isShort = (text: Text): boolean => text == null || (text.length <= MAX_SHORT && !text.includes("\n"));

/** A change in words: "Ends from 18 Dec 2026 to 20 Dec 2026". The name alone if the values are long, or with `isNamed`. */
const ChangeInWords = ({
  change: { field, was, is },
  kind,
  isNamed,
}: {
  change: FieldChange;
  kind: string;
  isNamed: boolean;
}) => {
  const name = fieldText(field, kind);
  if (isNamed || was === undefined || is === undefined || field === "rules") return <>{name}</>;
  if (!isShort(was) || !isShort(is)) return <>{name}</>;
  if (SWITCHES.has(field) && is !== null)
    return (
      <>
        {name}: {isOn(is) ? "on" : "off"}
      </>
    );
  if (is === null)
    return (
      <>
        {name} removed (was <Value field={field} text={was} />)
      </>
    );
  return (
    <>
      {name} {was !== null && "from "}
      {was !== null && <Value field={field} text={was} />}
      {was === null ? "set to " : " to "}
      <Value field={field} text={is} />
    </>
  );
};

/** Fields that follow from another one of the entry. */
const FOLLOWING: ReadonlySet<string> = new Set(["moved_groups", "moved_links"]);
const EDITING = /\.(update|change|change_role|rename|revert|update_by_import)$/;
/** With more fields their names are enough. */
const MAX_WITH_VALUES = 2;
const MAX_NAMED = 3;

/** What an entry edits, after what it says. */
export const EditedFields = ({ entry: { action, subject, fieldChanges } }: { entry: AuditEntry }) => {
  const own = fieldChanges.filter(({ field }) => !FOLLOWING.has(field));
  const changes = action.endsWith("change_role") ? own.filter(({ field }) => field === "role") : own;
  if (!EDITING.test(action) || changes.length === 0) return null;
  const isNamed = changes.length > MAX_WITH_VALUES;
  const more = changes.length - MAX_NAMED;
  return (
    <span class="soft">
      {": "}
      {changes.slice(0, MAX_NAMED).map((change, index) => (
        <>
          {index > 0 && ", "}
          <ChangeInWords change={change} kind={subject.kind} isNamed={isNamed} />
        </>
      ))}
      {more > 0 && `, ${more} more`}
    </span>
  );
};
