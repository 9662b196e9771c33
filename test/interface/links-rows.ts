import { env } from "cloudflare:test";

// Rows that the interface does not show: a link's assignments, and the workspace's totals.

export interface Item {
  group: string;
  role: string;
  channel: string | null;
  open: number;
}

/** The Activity Group items of a link, oldest first. */
export async function itemsOf(linkId: string): Promise<Item[]> {
  const { results } = await env.DB.prepare(
    `select g.public_id as "group", i.role, i.channel, i.ended_at is null as open
    from activity_group_items i join links l on l.id = i.link_id join activity_groups g on g.id = i.activity_group_id
    where l.public_id = ? order by i.id`,
  )
    .bind(linkId)
    .all<Item>();
  return results;
}

const first = (sql: string, slug: string) =>
  env.DB.prepare(sql).bind(slug).first<{ active: number; archived: number }>();

/** The workspace's stored totals by status. */
export const keptTotals = (workspace: string) =>
  first(
    "select active_links as active, archived_links as archived from workspaces where slug = ?",
    workspace,
  );

/** The same totals, counted from the rows. */
export const countedTotals = (workspace: string) =>
  first(
    `select count(*) filter (where l.archived_at is null) as active, count(l.archived_at) as archived
    from workspaces w join links l on l.workspace_id = w.id where w.slug = ? and l.deleted_at is null`,
    workspace,
  );
