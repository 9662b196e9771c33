import { fold } from "../lib/slug-text";
import { WaymarkError } from "./api/error";
import type { ActivityGroup, Tag, Waymark } from "./api/resources";
import { nearest } from "./nearest";

const missing = (message: string) => new WaymarkError(message, { status: 404 });

/** Finds a tag by its name, slug or ID. Throws if there is none, because a filter by it would match nothing. */
export function findTag(tags: readonly Tag[], given: string): Tag {
  const text = given.trim();
  const tag =
    tags.find(({ name }) => fold(name) === fold(text)) ??
    tags.find(({ id, slug }) => slug === text || id === text.toUpperCase());
  if (tag !== undefined) return tag;
  const names = tags.map(({ name }) => name);
  const near = nearest(text, names);
  throw missing(`The workspace has no tag "${text}".${near === undefined ? "" : ` Did you mean "${near}"?`}`);
}

/** Finds an Activity Group by its slug or ID. Throws if there is none. */
export async function findGroup(
  client: Waymark,
  given: string,
  command = "waymark groups list",
): Promise<ActivityGroup> {
  const group = await client.groups.get(given);
  if (group !== undefined) return group;
  throw missing(`The workspace has no Activity Group "${given}". ${command} shows them.`);
}
