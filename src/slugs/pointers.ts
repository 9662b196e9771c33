import { sql } from "drizzle-orm";
import type { Statement } from "../db/client";
import { fromList, inList, item, type List } from "../db/list";
import { prepared } from "../db/prepared";
import { links, slugs } from "../db/schema";

// Which link a slug opens. Every change that visitors can see raises the slug's revision and books a push to KV.

/**
 * Makes slugs open links, as pairs of a key and a public id. A slug that KV may know is booked for a push; a
 * fresh one needs none.
 */
export const openSlugs = prepared(
  (workspaceId: number, pairs: List, at: number): Statement =>
    (orm) =>
      orm.run(sql`insert into ${slugs} (key, workspace_id, link_id, created_at)
        select ${item(0)}, ${links.workspace_id}, ${links.id}, ${at} from ${fromList(pairs)} cross join ${links}
        where ${links.public_id} = ${item(1)} and +${links.workspace_id} = ${workspaceId}
        on conflict (key) do update set link_id = excluded.link_id, rev = ${slugs.rev} + 1, push_at = ${at}
          where ${slugs.link_id} is not excluded.link_id`),
);

/** Books a push of every slug that opens one of the links, by their row ids. */
export const outdateSlugs = prepared(
  (workspaceId: number, ids: List, at: number): Statement =>
    (orm) =>
      orm.run(sql`update ${slugs} set rev = rev + 1, push_at = ${at}
        where workspace_id = ${workspaceId} and link_id in ${inList(ids)}`),
);

/** Frees every slug of links, by their row ids, for their own workspace. */
export const releaseSlugs = prepared(
  (workspaceId: number, ids: List, at: number): Statement =>
    (orm) =>
      orm.run(sql`update ${slugs} set link_id = null, rev = rev + 1, push_at = ${at}
        where workspace_id = ${workspaceId} and link_id in ${inList(ids)}`),
);
