import { env } from "cloudflare:test";

// Rows that the interface does not show: a link's assignments, and the workspace's totals.

export interface Item {
  group: string;
  role: string;
  open: number;
}

/** The Activity Group items of a link, oldest first. */
export async function itemsOf(linkId: string): Promise<Item[]> {
  const { results } = await env.DB.prepare(
    `select g.public_id as "group", i.role, i.ended_at is null as open
    from activity_group_items i join links l on l.id = i.link_id join activity_groups g on g.id = i.activity_group_id
    where l.public_id = ? order by i.id`,
  )
    .bind(linkId)
    .all<Item>();
  return results;
}

/** The workspace's stored totals by status. After each file `invariants.ts` compares them with the rows. */
export const keptTotals = (workspace: string) =>
  env.DB.prepare("select active_links as active, archived_links as archived from workspaces where slug = ?")
    .bind(workspace)
    .first<{ active: number; archived: number }>();
