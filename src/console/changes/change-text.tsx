import type { Actor } from "../../resources/audit/actors";
import type { AuditEntry } from "../../resources/audit/audit-service";
import { here } from "../shell/href";
import { count, quoted, words } from "../shell/text";
import texts from "./change-texts.json";
import { EditedFields, fieldText, Value } from "./field-change";

const DONE: Readonly<Record<string, string>> = texts.done;
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

/** An undo of a change, or of its undo. */
const undoneText = ({ isAgain }: AuditEntry, of: string): string =>
  isAgain ? `redid a change of ${of}` : `undid a change of ${of}`;

/** What was done to many assets at once. */
function assetsText(entry: AuditEntry, assets: string): string {
  if (entry.reverts !== null) return undoneText(entry, assets);
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

/** The same in words of its own; undefined if its fields say it. */
function batchText(entry: AuditEntry, links: string): string | undefined {
  const { action } = entry;
  if (action === "asset.update") return assetsText(entry, links);
  if (action === "link.create" || action === "asset.create") return `created ${links}`;
  if (action === "link.revert") return undoneText(entry, links);
  if (action === "link.attach_tags") return `added the tag ${tagsIn(entry)} to ${links}`;
  if (action === "link.detach_tag") return `removed the tag ${tagsIn(entry)} from ${links}`;
  const [status, group] = [fieldChangeOf(entry, "status"), fieldChangeOf(entry, "activity_group_id")];
  if (status !== undefined) return `${status.is === "archived" ? "archived" : "restored"} ${links}`;
  if (group === undefined) return undefined;
  return group.is == null ? `removed ${links} from their group` : `moved ${links} to ${quoted(group.is)}`;
}

/** Fields that a change of many gives each link a value of its own in. */
const OF_EACH: ReadonlySet<string> = new Set(["destination_url", "rules", "slug"]);

/** What was done to many links or assets at once. A field that all of them were given is told with its value. */
const BatchText = ({ entry, links }: { entry: AuditEntry; links: string }) => {
  const text = batchText(entry, links);
  if (text !== undefined) return <>{text}</>;
  const [first, ...others] = entry.fieldChanges;
  if (first === undefined || others.length > 0) return <>changed {links}</>;
  const { field, is } = first;
  const name = fieldText(field);
  if (is === undefined || OF_EACH.has(field))
    return (
      <>
        changed {links}: {name}
      </>
    );
  return (
    <>
      changed {links}: {name} {is === null ? "removed" : "set to "}
      {is !== null && <Value field={field} text={is} />}
    </>
  );
};

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

type Words = readonly [before: string, after: string];

/** Of a status that alone was changed; undefined if more was, or something else. */
function statusWords({ action, subject: { kind }, fieldChanges }: AuditEntry): Words | undefined {
  const status = fieldChanges.find(({ field }) => field === "status");
  if (status?.is == null || !/^(link|group|asset)\.update$/.test(action)) return undefined;
  // A status that the dates do not say ends that the group follows them.
  if (fieldChanges.some(({ field }) => field !== "status" && field !== "follows_dates")) return undefined;
  const noun = kind === "asset" ? "poster" : kind;
  if (status.is === "archived" || status.is === "retired") return [`${status.is} the ${noun}`, ""];
  if (status.was === "archived") return [`restored the ${noun}`, ""];
  return [`marked the ${noun}`, ` as ${words(status.is).toLowerCase()}`];
}

const MAX_TAGS = 3;

/** "the tag “Print”", "the tags “Print”, “Fair”", "5 tags". */
function tagsText(entry: AuditEntry): string | undefined {
  const tags = fieldChangeOf(entry, "tag_ids")?.changed ?? [];
  if (tags.length === 0) return undefined;
  if (tags.length > MAX_TAGS) return count(tags.length, "tag");
  return `the ${tags.length === 1 ? "tag" : "tags"} ${tags.map(quoted).join(", ")}`;
}

/** A slug, with its host if it is on a domain. */
const addressText = (slug: string): string => (slug.includes("/") ? slug : `/${slug}`);

/** What was done in words of the entry, before and after the name of its subject; undefined if those of its action are enough. */
function ownWords(entry: AuditEntry): Words | undefined {
  const { action } = entry;
  const is = (field: string) => fieldChangeOf(entry, field)?.is ?? undefined;
  const said = (text: string | undefined, inWords: (text: string) => Words) =>
    text === undefined ? undefined : inWords(text);
  switch (action) {
    case "link.revert":
      return entry.isAgain ? ["redid a change of the link", ""] : undefined;
    case "link.attach_tags":
      return said(tagsText(entry), (tags) => [`added ${tags} to the link`, ""]);
    case "link.detach_tag":
      return said(tagsText(entry), (tags) => [`removed ${tags} from the link`, ""]);
    case "link.add_slug":
      return said(is("added_slug"), (slug) => [`led the address ${addressText(slug)} to the link`, ""]);
    case "link.drop_slug":
      return said(is("dropped_slug"), (slug) => [
        `dropped the old address ${addressText(slug)} of the link`,
        "",
      ]);
    case "tag.merge":
      return said(is("into"), (into) => ["merged the tag", ` into ${quoted(into)}`]);
    case "link.update_by_import":
      return ["edited the link", " by an import"];
    case "domain.primary":
      return ["chose the domain", " for new links"];
    default:
      return undefined;
  }
}

/** What an entry is about: its subject, or with `isWhole` how many a change of many changed. */
export function subjectText(entry: AuditEntry, isWhole: boolean): string {
  const { subject, fieldChanges, batch } = entry;
  if (batch !== null && isWhole) return countBatch(entry, batch);
  // A deleted subject has only its previous name.
  const previous = fieldChanges.find(({ field }) => ["slug", "name", "email"].includes(field));
  return subject.name ?? previous?.was ?? previous?.is ?? subject.id;
}

/** What was done, with a link to the subject and what was edited. With `isWhole`, a change of many is told by how many there are. */
export const EntryText = ({ entry, isWhole }: { entry: AuditEntry; isWhole: boolean }) => {
  const { subject, action, batch } = entry;
  if (entry.import !== null && isWhole) return <ImportText entry={entry} />;
  if (batch !== null && isWhole) return <BatchText entry={entry} links={countBatch(entry, batch)} />;
  const step = stepText(entry);
  if (step !== undefined) return <>{step}</>;
  const to = subject.isThere ? PAGES[subject.kind]?.(subject.id) : undefined;
  const name = subjectText(entry, isWhole);
  const ofStatus = statusWords(entry);
  const [done, more] = ofStatus ?? ownWords(entry) ?? [doneText(action), ""];
  return (
    <>
      {done}
      {/* All of the trail is of one workspace, whose name may have changed since. */}
      {subject.kind !== "workspace" && (
        <> {to === undefined ? <strong>{name}</strong> : <a href={to}>{name}</a>}</>
      )}
      {more}
      {ofStatus === undefined && <EditedFields entry={entry} />}
    </>
  );
};
