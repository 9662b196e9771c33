import type { ActivityGroup, Link, Tag } from "../../../src/client/api/wire-types";
import { fold } from "../../../src/lib/slug-text";

/** The data of the service. Tests may read and change it directly. */
export interface State {
  workspace: { name: string; slug: string };
  access: "full" | "read";
  /** The workspace's own. */
  domains: readonly string[];
  /** Where new links are; the short host if it is undefined. */
  primary: string | undefined;
  links: Link[];
  tags: Tag[];
  groups: ActivityGroup[];
  /** The link id of every address ever used, by its key. Null if it belongs to another workspace. */
  slugs: Map<string, string | null>;
  serial: number;
}

export interface Problem {
  field: string;
  message: string;
  code: string;
  conflict?: string | undefined;
}

/** A response other than 2xx. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly problems: readonly Problem[] = [],
  ) {
    super(message);
  }
}

export function assertNone(problems: readonly Problem[]): void {
  const [first, ...others] = problems;
  if (first === undefined) return;
  const more = others.length === 1 ? "(and 1 more error)" : `(and ${others.length} more errors)`;
  throw new Refusal(422, others.length === 0 ? first.message : `${first.message} ${more}`, problems);
}

export const taken = (field: string, conflict?: string): Problem => ({
  field,
  message: `The ${field.replaceAll("_", " ")} has already been taken.`,
  code: "taken",
  conflict,
});

const CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

export function newId(state: State): string {
  let rest = ++state.serial;
  let text = "";
  for (; rest > 0; rest = Math.floor(rest / 32)) text = (CROCKFORD[rest % 32] ?? "") + text;
  return `01JZ${text.padStart(22, "0")}`;
}

/** Advances by a millisecond with each call. */
export const nextMoment = (state: State): string =>
  new Date(Date.UTC(2026, 0, 1) + ++state.serial).toISOString();

export type Body = Readonly<Record<string, unknown>>;

/** Trims texts; an empty one is null. */
export function trimmed(value: unknown): unknown {
  if (typeof value === "string") return value.trim() === "" ? null : value.trim();
  if (Array.isArray(value)) return value.map(trimmed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, trimmed(item)]));
}

export const findGroup = (state: State, idOrSlug: unknown): ActivityGroup | undefined =>
  state.groups.find(({ id }) => id === String(idOrSlug).toUpperCase()) ??
  state.groups.find(({ slug }) => slug === idOrSlug);

export const byName = (one: Tag, other: Tag): number =>
  fold(one.name) < fold(other.name) ? -1 : fold(one.name) > fold(other.name) ? 1 : 0;

export const EMPTY_GROUP: Omit<ActivityGroup, "id" | "name" | "slug"> = {
  type: "campaign",
  description: "",
  status: "active",
  default_utm_campaign: null,
  starts_at: null,
  ends_at: null,
  archived_at: null,
};

export type NewGroup = Partial<ActivityGroup> & { slug: string };

export function addGroup(state: State, { slug, name = slug, ...rest }: NewGroup): ActivityGroup {
  const group = { id: newId(state), name, slug, ...EMPTY_GROUP, ...rest };
  state.groups.push(group);
  return group;
}
