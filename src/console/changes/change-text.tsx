import type { Actor } from "../../resources/audit/actors";
import type { AuditEntry } from "../../resources/audit/audit-service";
import { here } from "../shell/href";
import { count, quoted, Time, words } from "../shell/text";
import texts from "./change-texts.json";

const DONE: Readonly<Record<string, string>> = texts.done;
const FIELDS: Readonly<Record<string, string>> = texts.fields;
/** The filters of the audit trail: a kind of subject, or one action. */
export const ACTION_OPTIONS = Object.entries(texts.filters);

const ACTORS: Readonly<Record<Actor["kind"], string>> = {
  member: "A member",
  key: "An API key",
  operator: "The operator",
  schedule: "The service itself",
  other: "Somebody",
};

export const actorText = ({ kind, name }: Actor): string => {
  if (kind === "member") return name ?? ACTORS.member;
  if (kind === "key" && name !== null) return `API key “${name}”`;
  return ACTORS[kind];
};

/** Inside a sentence, after "by". */
export const creatorText = (actor: Actor): string =>
  actor.name === null
    ? actorText(actor).replace(/^(The|An) /, (article) => article.toLowerCase())
    : actorText(actor);

/** A field's name as people read it. */
export const fieldText = (field: string): string => FIELDS[field] ?? words(field).replace(/^Utm /, "UTM ");

const BROUGHT_BACK = /^(\w+)\.recover$/;

const doneText = (action: string): string => {
  const [, kind] = BROUGHT_BACK.exec(action) ?? [];
  if (kind !== undefined) return `brought back from a backup the ${kind}`;
  return DONE[action] ?? words(action.replace(".", ": ")).toLowerCase();
};

/** The page of a subject, by its kind. */
const PAGES: Readonly<Record<string, (id: string) => string>> = {
  link: here.link,
  group: here.group,
  tag: here.tag,
  asset: here.asset,
};

const fieldChangeOf = ({ fieldChanges }: AuditEntry, field: string) =>
  fieldChanges.find((fieldChange) => fieldChange.field === field);

/** The tags that an entry adds or removes. */
const tagsIn = (entry: AuditEntry): string =>
  (fieldChangeOf(entry, "tag_ids")?.changed ?? []).map(quoted).join(", ");

/** What was done to many assets at once. */
function assetsText(entry: AuditEntry, assets: string): string {
  if (entry.reverts !== null) return `undid a change of ${assets}`;
  const status = fieldChangeOf(entry, "status")?.is;
  if (status === undefined) return `moved ${assets} to another link`;
  return status === "retired" ? `retired ${assets}` : `set ${assets} ${status}`;
}

function nounOf(entry: AuditEntry): string {
  if (!entry.action.startsWith("asset.")) return "link";
  const kind = fieldChangeOf(entry, "kind")?.is;
  return kind === "flyer" ? kind : "poster";
}

/** What a change of many changed: "40 posters". */
export const countBatch = (entry: AuditEntry, { links, isMore }: NonNullable<AuditEntry["batch"]>): string =>
  `${isMore ? "more than " : ""}${count(links, nounOf(entry))}`;

/** What was done to many links or assets at once. */
function batchText(entry: AuditEntry, links: string): string {
  const { action } = entry;
  if (action === "asset.update") return assetsText(entry, links);
  if (action === "link.create" || action === "asset.create") return `created ${links}`;
  if (action === "link.revert") return `undid a change of ${links}`;
  if (action === "link.attach_tags") return `added the tag ${tagsIn(entry)} to ${links}`;
  if (action === "link.detach_tag") return `removed the tag ${tagsIn(entry)} from ${links}`;
  const [status, group] = [fieldChangeOf(entry, "status"), fieldChangeOf(entry, "activity_group_id")];
  if (status !== undefined) return `${status.is === "archived" ? "archived" : "restored"} ${links}`;
  if (group === undefined) return `changed ${links}`;
  return group.is == null ? `removed ${links} from their group` : `moved ${links} to ${quoted(group.is)}`;
}

/** How many links an import has made and updated. */
function importedText(links: number, updated: number): string {
  const made = links - updated;
  if (updated === 0) return `imported ${made === 0 ? "no links" : count(made, "link")}`;
  return `${made === 0 ? "" : `imported ${count(made, "link")} and `}updated ${count(updated, "link")} by an import`;
}

/** An import, as far as it is, or its undo, with its file. */
const ImportText = ({ entry }: { entry: AuditEntry }) => {
  const { import: ofImport, batch } = entry;
  if (ofImport === null || batch === null) return null;
  const { id, file, isThere, isStart } = ofImport;
  const { links, updated } = batch;
  return (
    <>
      {isStart ? importedText(links, updated) : `undid the import of ${countBatch(entry, batch)}`}
      {file !== null && <> from {isThere ? <a href={here.import(id)}>{file}</a> : <strong>{file}</strong>}</>}
    </>
  );
};

/** The start of an import or one of its steps, in the history of the import. */
function stepText(entry: AuditEntry): string | undefined {
  if (entry.action !== "link.import") return undefined;
  if (entry.import !== null) return "started an import";
  const [rows, updated] = ["rows", "updated"].map((field) => Number(fieldChangeOf(entry, field)?.is ?? 0));
  return importedText((rows ?? 0) + (updated ?? 0), updated ?? 0);
}

/** The words before and after the name of a group whose status was changed; undefined if more was, or something else. */
function statusText(entry: AuditEntry): readonly [before: string, after: string] | undefined {
  const status = fieldChangeOf(entry, "status");
  if (entry.action !== "group.update" || status?.is == null) return undefined;
  // A status that the dates do not say ends that the group follows them.
  const others = entry.fieldChanges.filter(({ field }) => field !== "status" && field !== "follows_dates");
  if (others.length > 0) return undefined;
  if (status.is === "archived") return ["archived the group", ""];
  if (status.was === "archived") return ["restored the group", ""];
  return ["marked the group", ` as ${words(status.is).toLowerCase()}`];
}

/** What an entry is about: its subject, or with `isWhole` how many a change of many changed. */
export function subjectText(entry: AuditEntry, isWhole: boolean): string {
  const { subject, fieldChanges, batch } = entry;
  if (batch !== null && isWhole) return countBatch(entry, batch);
  // A deleted subject has only its previous name.
  const previous = fieldChanges.find(({ field }) => ["slug", "name", "email"].includes(field));
  return subject.name ?? previous?.was ?? previous?.is ?? subject.id;
}

/** What was done, with a link to the subject. With `isWhole`, a change of many is told by how many there are. */
export const EntryText = ({ entry, isWhole }: { entry: AuditEntry; isWhole: boolean }) => {
  const { subject, action, batch } = entry;
  if (entry.import !== null && isWhole) return <ImportText entry={entry} />;
  if (batch !== null && isWhole) return <>{batchText(entry, countBatch(entry, batch))}</>;
  const step = stepText(entry);
  if (step !== undefined) return <>{step}</>;
  const to = subject.isThere ? PAGES[subject.kind]?.(subject.id) : undefined;
  const name = subjectText(entry, isWhole);
  const [done, more] = statusText(entry) ?? [doneText(action), ""];
  return (
    <>
      {done} {to === undefined ? <strong>{name}</strong> : <a href={to}>{name}</a>}
      {more}
    </>
  );
};

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

export const Value = ({ text }: { text: string | null | undefined }) =>
  text == null ? (
    <span class="soft">nothing</span>
  ) : ISO_TIME.test(text) ? (
    <Time at={text} exact />
  ) : (
    <bdi>{text}</bdi>
  );

export const FromTo = ({ was, is }: { was: string | null | undefined; is: string | null | undefined }) => (
  <>
    <span class="unseen">from </span>
    <del>
      <Value text={was} />
    </del>
    <span aria-hidden="true"> → </span>
    <span class="unseen"> to </span>
    <ins>
      <Value text={is} />
    </ins>
  </>
);
