// Which link a slug opens. Every change that visitors can see increments the slug's revision and queues a push to KV.

import { sql } from "drizzle-orm";
import { type BoundList, fromList, inList, listed } from "../../../db/list";
import { orm, prepared } from "../../../db/prepared";
import { links, slugs } from "../../../db/schema/links";

/** Makes slugs open links. `pairs` are slug keys and public ids. Only an existing slug needs a push. */
export const upsertSlugs = prepared((workspaceId: number, pairs: BoundList, at: number) =>
  orm.run(sql`insert into ${slugs} (key, workspace_id, link_id, created_at)
        select ${listed(0)}, ${links.workspace_id}, ${links.id}, ${at} from ${fromList(pairs)} cross join ${links}
        where ${links.public_id} = ${listed(1)} and +${links.workspace_id} = ${workspaceId}
        on conflict (key) do update set workspace_id = excluded.workspace_id, link_id = excluded.link_id, rev = ${slugs.rev} + 1, push_at = ${at}
          where ${slugs.link_id} is not excluded.link_id`),
);

/** Queues pushes of all slugs and codes of the links. `ids` are row ids. */
export const queuePushes = prepared((workspaceId: number, ids: BoundList, at: number) =>
  orm.run(sql`update ${slugs} set rev = rev + 1, push_at = ${at}
        where workspace_id = ${workspaceId} and link_id in ${inList(ids)}`),
);

/** Turns all slugs and codes of the links into tombstones. `ids` are row ids. */
export const detachSlugs = prepared((workspaceId: number, ids: BoundList, at: number) =>
  orm.run(sql`update ${slugs} set link_id = null, rev = rev + 1, push_at = ${at}
        where workspace_id = ${workspaceId} and link_id in ${inList(ids)}`),
);
