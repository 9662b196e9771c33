import { fold, foldSlug } from "../../lib/slug-text";
import type { ActivityGroup, Link, Tag, UpdateLink, Waymark } from "../api/resources";
import { type Change, diffLink, type Names, type NewLink, newLink } from "./diff";
import { keyOf, type LinkFile, type Problem, type WantedLink } from "./link-file";
import { endProblem } from "./rules";
import { readState, type State } from "./state";

interface Planned {
  key: string;
  /** The current slug; for a new link the wanted one, if the file gives any. */
  slug: string | undefined;
  changes: readonly Change[];
}

export type Action = Planned &
  (
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

/** What `apply` would do. Nothing is written while there are problems or conflicts. */
export interface Plan {
  name: string;
  /** Names of tags to create. */
  tags: readonly string[];
  /** Creations and updates in the order of the file, then removals. */
  actions: readonly Action[];
  conflicts: readonly Conflict[];
  /** What the service would refuse: unknown names, and ends that are not after the start. */
  problems: readonly Problem[];
  warnings: readonly string[];
  unchanged: ReadonlyMap<string, Link>;
  /** Links whose key is gone, which `on_removed: keep` leaves. */
  kept: number;
}

/** Reads the state of the workspace and plans. */
export const makePlan = async (client: Waymark, file: LinkFile): Promise<Plan> =>
  planFile(file, await readState(client, file));

/** Compares a file with the state of the workspace. */
export function planFile(file: LinkFile, state: State): Plan {
  const own = new Map<string, Link>();
  for (const link of state.links) {
    const key = keyOf(file.name, link.external_id);
    if (key !== undefined) own.set(key, link);
  }
  const tags = missingTags(file, state.tags);
  const names = namesIn(state, tags);
  const actions: Action[] = [];
  const conflicts: Conflict[] = [];
  const ends: Problem[] = [];
  const unchanged = new Map<string, Link>();
  for (const wanted of file.links) {
    const link = own.get(wanted.key) ?? madeMeanwhile(file, wanted, state);
    const conflict = conflictOf(file, wanted, link, state);
    if (conflict !== undefined) {
      conflicts.push(conflict);
      continue;
    }
    ends.push(...endProblems(file, wanted, link));
    const action = actionFor(file.name, wanted, link, names);
    if (action !== undefined) actions.push(action);
    else if (link !== undefined) unchanged.set(wanted.key, link);
  }
  const removed = removals(file, own);
  return {
    name: file.name,
    tags,
    actions: [...actions, ...removed],
    conflicts,
    problems: [...unknownGroups(file, names), ...ends],
    warnings: archivedGroups(file, state.groups),
    unchanged,
    kept: file.onRemoved === "keep" ? removedKeys(file, own).length : 0,
  };
}

function actionFor(
  name: string,
  wanted: WantedLink,
  link: Link | undefined,
  names: Names,
): Action | undefined {
  const { key, fields } = wanted;
  if (link === undefined) return { op: "create", key, slug: fields.slug, ...newLink(name, wanted, names) };
  const { input, changes } = diffLink(link, fields, names);
  return changes.length === 0 ? undefined : { op: "update", key, slug: link.slug, link, input, changes };
}

/** The link that another run made after the list was read. The look-up of slugs, which comes later, finds it. */
function madeMeanwhile(
  { name }: LinkFile,
  { key, fields: { slug } }: WantedLink,
  { slugOwners }: State,
): Link | undefined {
  const owner = slug === undefined ? undefined : slugOwners.get(foldSlug(slug));
  return keyOf(name, owner?.external_id) === key ? owner : undefined;
}

const removedKeys = (file: LinkFile, own: ReadonlyMap<string, Link>): [key: string, link: Link][] => {
  const wanted = new Set(file.links.map(({ key }) => key));
  return [...own].filter(([key]) => !wanted.has(key)).toSorted(([one], [other]) => (one < other ? -1 : 1));
};

/** `delete` also removes links that were archived before. */
function removals(file: LinkFile, own: ReadonlyMap<string, Link>): Action[] {
  const { onRemoved: op } = file;
  if (op === "keep") return [];
  return removedKeys(file, own)
    .filter(([, link]) => op === "delete" || link.status !== "archived")
    .map(([key, link]) => ({ op, key, slug: link.slug, link, changes: [] }));
}

/** The wanted slug of a link if another link has it, as its current or as an old one. */
function conflictOf(
  file: LinkFile,
  { key, fields: { slug } }: WantedLink,
  link: Link | undefined,
  { slugOwners }: State,
): Conflict | undefined {
  const owner = slug === undefined ? undefined : slugOwners.get(foldSlug(slug));
  if (slug === undefined || owner === undefined || owner.id === link?.id) return undefined;
  const message = conflictMessage(file, slug, owner, link);
  return { key, line: file.lineOf(key), slug, message, id: owner.id };
}

function conflictMessage(file: LinkFile, slug: string, owner: Link, link: Link | undefined): string {
  const isOld = foldSlug(owner.slug) !== foldSlug(slug);
  const other = keyOf(file.name, owner.external_id);
  const opens = isOld ? `/${slug} is an old slug of` : `/${slug} belongs to`;
  if (other === undefined) {
    const whose = owner.external_id === null ? "" : ` (external ID ${owner.external_id})`;
    const what = `${opens} the link ${isOld ? `/${owner.slug} ` : ""}${owner.id}${whose}, which is not of this file.`;
    const how =
      link === undefined
        ? `To let the file own it: waymark adopt ${slug}${owner.external_id === null ? "" : " --take-over"}`
        : "Choose another slug, or delete that link.";
    return `${what} ${how}`;
  }
  if (file.links.some(({ key }) => key === other)) {
    return `${opens} "${other}" of this file. A renamed link keeps its old slugs, so links cannot swap slugs.`;
  }
  const what = `${opens} "${other}", whose key is not in the file any more.`;
  return link === undefined
    ? `${what} If only the key is new: waymark adopt ${slug}`
    : `${what} Choose another slug, or delete that link first.`;
}

function missingTags(file: LinkFile, tags: readonly Tag[]): string[] {
  const known = new Set(tags.map(({ name }) => fold(name)));
  const missing = new Map<string, string>();
  for (const name of file.links.flatMap(({ fields }) => fields.tag_names ?? [])) {
    const folded = fold(name);
    if (!known.has(folded) && !missing.has(folded)) missing.set(folded, name);
  }
  return [...missing.values()];
}

/** An ID is tried before a slug, as the service does. */
function namesIn({ tags, groups }: State, missing: readonly string[]): Names {
  const spellings = new Map(missing.map((name) => [fold(name), name]));
  for (const { name } of tags) spellings.set(fold(name), name);
  const bySlug = new Map(groups.map((group) => [group.slug, group]));
  const byId = new Map(groups.map((group) => [group.id, group]));
  return {
    tag: (name) => spellings.get(fold(name)) ?? name,
    group: (idOrSlug) => byId.get(idOrSlug.toUpperCase()) ?? bySlug.get(idOrSlug),
  };
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
function endProblems(file: LinkFile, { key, fields }: WantedLink, link: Link | undefined): Problem[] {
  if (link === undefined) return [];
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
