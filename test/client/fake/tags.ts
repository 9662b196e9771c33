import type { Tag } from "../../../src/client/api/wire-types";
import { fold, freeSlug, slugFromName } from "../../../src/lib/slug-text";
import {
  assertNone,
  type Body,
  byName,
  newId,
  type Problem,
  Refusal,
  type State,
  taken,
  trimmed,
} from "./state";

const MAX_SLUG_CHARACTERS = 120;

export function getTag(state: State, id: string): Tag {
  const tag = state.tags.find((one) => one.id === id.toUpperCase());
  if (tag === undefined) throw new Refusal(404, "Tag not found.");
  return tag;
}

function assertFree(state: State, tag: Tag, given: Body): void {
  const others = state.tags.filter(({ id }) => id !== tag.id);
  const name = others.find((other) => fold(other.name) === fold(tag.name));
  const slug = typeof given["slug"] === "string" && others.find((other) => other.slug === tag.slug);
  const problems: Problem[] = [];
  if (name) problems.push(taken("name", name.id));
  if (slug) problems.push(taken("slug", slug.id));
  assertNone(problems);
}

/** The tag after a request. Without a slug it gets one that is made of its name. */
function change(state: State, was: Tag, input: Body): Tag {
  const body = trimmed(input) as Body;
  if (body["name"] === null) {
    assertNone([{ field: "name", message: "The name field is required.", code: "required" }]);
  }
  const tag: Tag = { ...was, ...body };
  if (tag.slug === null) {
    const others = state.tags.filter(({ id }) => id !== tag.id).map(({ slug }) => slug);
    const base = slugFromName(tag.name, MAX_SLUG_CHARACTERS);
    tag.slug = freeSlug(base, new Set(others), MAX_SLUG_CHARACTERS);
  }
  assertFree(state, tag, body);
  return tag;
}

const EMPTY = { name: null, slug: null, colour: null, description: null };

export function createTag(state: State, input: Body): Tag {
  const tag = change(state, { id: newId(state), ...EMPTY } as unknown as Tag, { name: null, ...input });
  state.tags.push(tag);
  state.tags.sort(byName);
  return tag;
}

export function updateTag(state: State, tag: Tag, input: Body): Tag {
  Object.assign(tag, change(state, tag, input));
  state.tags.sort(byName);
  for (const link of state.links) link.tags.sort(byName);
  return tag;
}

export function deleteTag(state: State, tag: Tag): void {
  state.tags = state.tags.filter((one) => one !== tag);
  for (const link of state.links) link.tags = link.tags.filter((one) => one !== tag);
}
