import type { Tag } from "../../../src/client/api/resources";
import { fold, freeSlug, slugFromName } from "../../../src/lib/slug-text";
import {
  type Body,
  byName,
  invalid,
  newId,
  type Problem,
  Refusal,
  required,
  type State,
  taken,
  textProblems,
  trimmed,
  unknownFields,
} from "./state";

const LIMITS = { name: 100, slug: 120, colour: 32, description: 255 };

const toSlug = (name: string): string => slugFromName(name, LIMITS.slug) || "tag-unnamed1";

export function getTag(state: State, id: string): Tag {
  const tag = state.tags.find((one) => one.id === id.toUpperCase());
  if (tag === undefined) throw new Refusal(404, "Tag not found.");
  return tag;
}

function slugFor(state: State, name: string, ownId: string): string {
  const others = state.tags.filter(({ id }) => id !== ownId);
  return freeSlug(toSlug(name), new Set(others.map(({ slug }) => slug)), LIMITS.slug);
}

function assertFree(state: State, tag: Tag, given: Body): void {
  const others = state.tags.filter(({ id }) => id !== tag.id);
  const name = others.find((other) => fold(other.name) === fold(tag.name));
  const slug = typeof given["slug"] === "string" && others.find((other) => other.slug === tag.slug);
  const problems: Problem[] = [];
  if (name) problems.push(taken("name", name.id));
  if (slug) problems.push(taken("slug", slug.id));
  if (problems.length > 0) throw invalid(problems);
}

function readBody(input: Body, strict: boolean): Body {
  const body = Object.fromEntries(Object.entries(input).map(([field, value]) => [field, trimmed(value)]));
  const problems = textProblems(body, LIMITS);
  if (body["name"] === null) problems.unshift(required("name"));
  if (strict) problems.push(...unknownFields(Object.keys(body), Object.keys(LIMITS)));
  if (problems.length > 0) throw invalid(problems);
  return body;
}

export function createTag(state: State, input: Body, strict: boolean): Tag {
  const body = readBody({ name: null, ...input }, strict);
  const name = String(body["name"]);
  const tag: Tag = {
    id: newId(state),
    name,
    slug: typeof body["slug"] === "string" ? body["slug"] : slugFor(state, name, ""),
    colour: (body["colour"] as string | undefined) ?? null,
    description: (body["description"] as string | undefined) ?? null,
  };
  assertFree(state, tag, body);
  state.tags.push(tag);
  state.tags.sort(byName);
  return tag;
}

export function updateTag(state: State, tag: Tag, input: Body, strict: boolean): Tag {
  const body = readBody(input, strict);
  const next = { ...tag, ...body } as Tag;
  if (body["slug"] === null) next.slug = slugFor(state, next.name, tag.id);
  assertFree(state, next, body);
  Object.assign(tag, next);
  state.tags.sort(byName);
  for (const link of state.links) link.tags.sort(byName);
  return tag;
}

export function deleteTag(state: State, tag: Tag): void {
  state.tags = state.tags.filter((one) => one !== tag);
  for (const link of state.links) link.tags = link.tags.filter((one) => one !== tag);
}
