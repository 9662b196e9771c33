import { fold, foldSlug, spellings } from "../../lib/slug-text";
import type { ActivityGroup, Link, Tag, UpdateLink, Waymark } from "../api/wire-types";
import type { Problem } from "../exit";
import { diffLink, type FieldChange, type Names, type NewLink, namesIn, newLink } from "./diff";
import { type Address, addressFor, ownerOf, readState, type State } from "./file-state";
import { keyOf, type LinkFile, refusalOf, type WantedLink } from "./link-file";
import { endProblem } from "./text-rules";

export type Action = {
  key: string;
  /** The current slug; for a new link the wanted one, if the file gives any. */
  slug: string | undefined;
  changes: readonly FieldChange[];
} & (
  | { op: "create"; input: NewLink }
  | { op: "update"; link: Link; input: UpdateLink }
  | { op: "archive" | "delete"; link: Link }
);

/** A wanted slug that another link has. */
export interface Conflict {
  key: string;
  line: number;
  slug: string;
  message: string;
  /** Of the other link. */
  id: string;
}

/** What `apply` would do. Nothing is written while there are conflicts. */
export type Plan = ReturnType<typeof planFile>;

export const makePlan = async (client: Waymark, file: LinkFile): Promise<Plan> =>
  planFile(file, await readState(client, file));

/**
 * Compares a file with the state of the workspace. Its actions are creations and updates in the order of the file, then
 * removals. Throws a `Refusal` for what the service would refuse: unknown names, and ends that are not after the start.
 */
export function planFile(file: LinkFile, state: State) {
  const { own } = state;
  const tags = missingTags(file, state.tags);
  const names = namesIn(state, tags);
  const actions: Action[] = [];
  const conflicts: Conflict[] = [];
  const problems = unknownGroups(file, names);
  const unchanged = new Map<string, Link>();
  for (const wanted of file.links) {
    const { key, fields } = wanted;
    const address = addressFor(wanted, own.get(key));
    const owner = address === undefined ? undefined : ownerOf(state, file, address);
    // Another run may have made the link after the list was read, and before the slugs were.
    const link = own.get(key) ?? (keyOf(file.name, owner?.external_id) === key ? owner : undefined);
    if (address !== undefined && owner !== undefined && owner.id !== link?.id) {
      const message = conflictMessage(file, { ...address, domain: fields.domain }, owner, link);
      conflicts.push({ key, line: file.lineOf(key), slug: address.slug, message, id: owner.id });
    } else if (link === undefined) {
      actions.push({ op: "create", key, slug: fields.slug, ...newLink(file.name, wanted, names) });
    } else {
      problems.push(...endProblems(file, wanted, link));
      const { input, changes } = diffLink(link, fields, names);
      if (changes.length === 0) unchanged.set(key, link);
      else actions.push({ op: "update", key, slug: link.slug, link, input, changes });
    }
  }
  if (problems.length > 0) throw refusalOf(file.path, problems);
  const { removals, kept } = findRemoved(file, own);
  const warnings = archivedGroups(file, state.groups);
  const all = [...actions, ...removals];
  return { name: file.name, tags, actions: all, conflicts, warnings, unchanged, kept };
}

/** The links whose key is gone. `delete` also removes those that were archived before, and `keep` leaves all. */
function findRemoved({ links, onRemoved: op }: LinkFile, own: ReadonlyMap<string, Link>) {
  const wanted = new Set(links.map(({ key }) => key));
  const gone = [...own].filter(([key]) => !wanted.has(key));
  if (op === "keep") return { removals: [], kept: gone.length };
  const removals = gone
    .filter(([, link]) => op === "delete" || link.status !== "archived")
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, link]): Action => ({ op, key, slug: link.slug, link, changes: [] }));
  return { removals, kept: 0 };
}

function conflictMessage(file: LinkFile, address: Address, owner: Link, link: Link | undefined): string {
  const { slug, domain } = address;
  const isOld = foldSlug(owner.slug) !== foldSlug(slug);
  const other = keyOf(file.name, owner.external_id);
  const opens = `${domain ?? ""}/${slug} ${isOld ? "is an old slug of" : "belongs to"}`;
  const adopt = `waymark adopt ${slug}${domain === undefined ? "" : ` --domain ${domain}`}`;
  if (other === undefined) {
    const whose = owner.external_id === null ? "" : ` (external ID ${owner.external_id})`;
    const what = `${opens} the link ${isOld ? `/${owner.slug} ` : ""}${owner.id}${whose}, which is not of this file.`;
    const how =
      link === undefined
        ? `To let the file own it: ${adopt}${owner.external_id === null ? "" : " --take-over"}`
        : "Choose another slug, or delete that link.";
    return `${what} ${how}`;
  }
  if (file.links.some(({ key }) => key === other)) {
    return `${opens} "${other}" of this file. A renamed link keeps its old slugs, so links cannot swap slugs.`;
  }
  const what = `${opens} "${other}", whose key is not in the file any more.`;
  return link === undefined
    ? `${what} If only the key is new: ${adopt}`
    : `${what} Choose another slug, or delete that link first.`;
}

function missingTags({ links }: LinkFile, tags: readonly Tag[]): string[] {
  const known = new Set(tags.map(({ name }) => fold(name)));
  const named = spellings(links.flatMap(({ fields }) => fields.tag_names ?? []));
  return named.filter(([folded]) => !known.has(folded)).map(([, name]) => name);
}

/** A group of the defaults is reported once. */
function unknownGroups(file: LinkFile, names: Names): Problem[] {
  const problems = new Map<string, Problem>();
  for (const { key, fields } of file.links) {
    const { activity_group_id: group } = fields;
    if (group == null || names.group(group) !== undefined) continue;
    const line = file.lineOf(key, "group");
    problems.set(`${line} ${group}`, { line, message: `The workspace has no Activity Group "${group}".` });
  }
  return [...problems.values()];
}

/** The file may give one of the two moments, and the link have the other. */
function endProblems(file: LinkFile, { key, fields }: WantedLink, link: Link): Problem[] {
  const { starts_at: start = link.starts_at, ends_at: end = link.ends_at } = fields;
  const fault = endProblem(start, end);
  if (fault === undefined) return [];
  const has = fields.starts_at === undefined ? `starts_at ${start}` : `ends_at ${end}`;
  const message = `${key}: ends_at ${fault}. The link has ${has}. Give both in the file, or clear one with null.`;
  return [{ line: file.lineOf(key, "ends_at", "starts_at"), message }];
}

function archivedGroups(file: LinkFile, groups: readonly ActivityGroup[]): string[] {
  const named = new Set(file.links.map(({ fields }) => fields.activity_group_id));
  return groups
    .filter(({ id, slug, status }) => status === "archived" && (named.has(slug) || named.has(id)))
    .map(({ slug }) => `The Activity Group ${slug} is archived.`);
}
