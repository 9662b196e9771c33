import type { Actor } from "../../resources/audit/actors";
import type { AuditEntry } from "../../resources/audit/audit-service";
import { here } from "../shell/href";
import { count, quoted, Time, words } from "../shell/text";

const DONE: Readonly<Record<string, string>> = {
  "link.create": "created the link",
  "link.update": "edited the link",
  "link.delete": "deleted the link",
  "link.attach_tags": "added tags to the link",
  "link.detach_tag": "removed a tag from the link",
  "link.merge_tag": "merged a tag of the link",
  "link.add_slug": "led another address to the link",
  "link.drop_slug": "dropped a slug of the link",
  "link.revert": "undid a change of the link",
  "link.import": "imported links",
  "link.update_by_import": "edited by an import the link",
  "link.takedown": "took down the link",
  "link.restore": "ended the takedown of the link",
  "slug.restore": "ended the takedown of the slug",
  "slug.release": "released the slug",
  "slug.receive": "gave this workspace the slug",
  "tag.create": "created the tag",
  "tag.update": "edited the tag",
  "tag.delete": "deleted the tag",
  "tag.merge": "merged the tag",
  "group.create": "created the group",
  "group.update": "edited the group",
  "asset.create": "created the poster",
  "asset.update": "edited the poster",
  "domain.add": "added the domain",
  "domain.check": "checked the domain",
  "domain.primary": "made new links on the domain",
  "domain.change": "changed the domain",
  "domain.remove": "removed the domain",
  "domain.release": "released the domain",
  "receiver.create": "added the receiver",
  "receiver.update": "changed the receiver",
  "receiver.delete": "removed the receiver",
  "receiver.test": "sent a test to the receiver",
  "receiver.send_again": "sent a message again to the receiver",
  "channel.create": "saved the channel",
  "channel.update": "edited the saved channel",
  "channel.delete": "deleted the saved channel",
  "branding.create": "saved the branding of codes",
  "branding.update": "edited the branding of codes",
  "branding.delete": "deleted the branding of codes",
  "view.create": "saved the view",
  "view.delete": "removed the view",
  "report.create": "made a report of",
  "report.end": "ended a report of",
  "key.create": "created the API key",
  "key.revoke": "revoked the API key",
  "key.rotate": "rotated the API key",
  "member.add": "added the member",
  "member.invite": "made a sign-in link for the member",
  "member.change_role": "changed the role of the member",
  "member.remove": "removed the member",
  "workspace.create": "created the workspace",
  "workspace.update": "changed the workspace",
  "workspace.rename": "renamed the workspace",
  "workspace.suspend": "suspended the workspace",
  "workspace.resume": "resumed the workspace",
  "workspace.recount": "counted the workspace again",
  "workspace.open_slugs": "let slugs from a backup open their links again in the workspace",
};

/** The filters of the audit trail: a kind of subject, or one action. */
export const ACTION_OPTIONS: readonly (readonly [value: string, label: string])[] = [
  ["link", "Links: everything"],
  ["link.create", "Links: created"],
  ["link.update", "Links: edited"],
  ["link.delete", "Links: deleted"],
  ["slug", "Slugs that the operator freed, took or gave"],
  ["tag", "Tags"],
  ["group", "Groups"],
  ["asset", "Posters"],
  ["domain", "Domains"],
  ["receiver", "Receivers"],
  ["channel", "Saved channels"],
  ["branding", "Brandings of codes"],
  ["view", "Saved views"],
  ["report", "Reports"],
  ["key", "API keys"],
  ["member", "People"],
  ["workspace", "The workspace"],
];

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

const FIELDS: Readonly<Record<string, string>> = {
  destination_url: "Destination",
  activity_group: "Group",
  activity_group_id: "Group",
  tag_ids: "Tags",
  default_utm_campaign: "Default UTM campaign",
  last4: "Last four characters",
  into: "Replaced by",
  ended_url: "After the end",
  starts_on: "Starts",
  ends_on: "Ends",
  external_id: "External ID",
  clicks_before: "Clicks before the move",
  preview_image_url: "Preview image",
  ends_links: "Links end with it",
  follows_dates: "Status follows the dates",
};

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
const ImportText = ({ entry: { import: ofImport, batch } }: { entry: AuditEntry }) => {
  if (ofImport === null || batch === null) return null;
  const { id, file, isThere, isStart } = ofImport;
  const { links, updated } = batch;
  return (
    <>
      {isStart ? importedText(links, updated) : `undid the import of ${count(links, "link")}`}
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

/** What was done, with a link to the subject. With `isWhole`, a change of many is told by how many there are. */
export const EntryText = ({ entry, isWhole }: { entry: AuditEntry; isWhole: boolean }) => {
  const { subject, action, fieldChanges, batch } = entry;
  if (entry.import !== null && isWhole) return <ImportText entry={entry} />;
  if (batch !== null && isWhole) return <>{batchText(entry, countBatch(entry, batch))}</>;
  const step = stepText(entry);
  if (step !== undefined) return <>{step}</>;
  const to = subject.isThere ? PAGES[subject.kind]?.(subject.id) : undefined;
  // A deleted subject has only its previous name.
  const previous = fieldChanges.find(({ field }) => ["slug", "name", "email"].includes(field));
  const name = subject.name ?? previous?.was ?? previous?.is ?? subject.id;
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
