import { etagOf } from "../../lib/etag";
import { differences } from "../api/differences";
import { WaymarkError } from "../api/error";
import type { Link, Tag, UpdateLink, Waymark } from "../api/resources";
import { findTags } from "../find";

/** Others may change the same link meanwhile. */
const MAX_ROUNDS = 5;

export interface LinkChange {
  input: UpdateLink;
  /** Made to the tags that the link has at that moment. */
  tags: { add: readonly Tag[]; remove: readonly Tag[]; removeAll?: boolean };
  /** Asked of a link that somebody else has changed meanwhile. */
  isStillWanted?: (link: Link) => boolean;
}

/** The change that the options of a command ask for. */
export async function readTagChange(
  client: Waymark,
  add: readonly string[] = [],
  remove: readonly string[] = [],
): Promise<LinkChange["tags"]> {
  const tags = await findTags(client, [...add, ...remove]);
  return { add: tags.slice(0, add.length), remove: tags.slice(add.length) };
}

/**
 * The body of the update: every named field, and the tags if they differ. A named campaign or group is sent even if the link
 * has it, since the group's default may have changed.
 */
export function bodyOf(link: Link, { input, tags }: LinkChange): UpdateLink {
  const ids = new Set(tags.removeAll ? [] : link.tags.map(({ id }) => id));
  for (const { id } of tags.remove) ids.delete(id);
  for (const { id } of tags.add) ids.add(id);
  return { ...input, ...differences(link, { tag_ids: [...ids] }) };
}

/** Updates a link in one request, if it is still as it was read. Else it is read again. */
export async function updateLink(client: Waymark, link: Link, change: LinkChange): Promise<Link> {
  for (let round = 1, now = link; ; round++) {
    const body = bodyOf(now, change);
    if (Object.keys(body).length === 0) return now;
    try {
      return await client.links.update(now.id, body, { ifMatch: await etagOf(now) });
    } catch (error) {
      const isStale = error instanceof WaymarkError && error.status === 412;
      if (!isStale || round === MAX_ROUNDS) throw error;
      now = await client.links.get(now.id);
      if (change.isStillWanted?.(now) === false) return now;
    }
  }
}
