import { WaymarkError } from "../api/error";
import { etagOf } from "../api/etag";
import type { Link, UpdateLink, Waymark } from "../api/resources";
import { type TagChange, tagIdsAfter } from "./link-input";

/** Others may change the same link meanwhile. */
const MAX_ROUNDS = 5;

export interface LinkChange {
  input: UpdateLink;
  /** Made to the tags that the link has at that moment. */
  tags?: TagChange;
  /** Asked of a link that somebody else has changed meanwhile. */
  isStillWanted?: (link: Link) => boolean;
}

/** The body of the update. */
export function bodyOf(link: Link, { input, tags }: LinkChange): UpdateLink {
  const ids = tags === undefined ? undefined : tagIdsAfter(link, tags);
  return { ...input, ...(ids === undefined ? {} : { tag_ids: ids }) };
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
