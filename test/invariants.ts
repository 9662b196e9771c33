import { env } from "cloudflare:test";
import { createDatabase } from "../src/db/client";
import { wrongCopies, wrongTotals, wrongWorkspaceTotals } from "../src/doctor/repository";

// What holds of the database at any time, whatever has been done to it.

const NEVER: Readonly<Record<string, string>> = {
  "an open assignment is not the link's own group": `select items.id from activity_group_items as items
    join links on links.id = items.link_id
    where items.ended_at is null and (links.deleted_at is not null or links.activity_group_id is not items.activity_group_id
      or links.channel is not items.channel)`,
  "a link in a group has no open assignment": `select links.id from links
    where deleted_at is null and activity_group_id is not null and not exists (select 1 from activity_group_items as items
      where items.link_id = links.id and items.ended_at is null)`,
  "a link's slug does not open it": `select links.slug_key, slugs.key, slugs.link_id, links.id from links left join slugs on slugs.key = links.slug_key
    where links.deleted_at is null and slugs.link_id is not links.id`,
  "a slug opens a deleted link": `select slugs.key from slugs join links on links.id = slugs.link_id
    where links.deleted_at is not null`,
  "a deleted link carries a tag": `select links.id from links join link_tags on link_tags.link_id = links.id
    where links.deleted_at is not null`,
  "a row spans two workspaces": `select links.id from links join slugs on slugs.link_id = links.id
    where slugs.workspace_id <> links.workspace_id`,
  "a link has more than fifty tags": "select link_id from link_tags group by link_id having count(*) > 50",
  "a workspace has more links than it may": `select id from workspaces
    where link_limit is not null and active_links + archived_links > link_limit`,
};

/** What does not hold, each with some of the rows; empty where all is well. */
export async function brokenInvariants(): Promise<unknown[]> {
  const broken: unknown[] = [];
  const { results: orphans } = await env.DB.prepare("pragma foreign_key_check").all();
  if (orphans.length > 0) broken.push({ orphans });
  for (const [name, query] of Object.entries(NEVER)) {
    const { results } = await env.DB.prepare(`${query} limit 5`).all();
    if (results.length > 0) broken.push({ [name]: results });
  }
  const db = createDatabase(env.DB);
  const { results: workspaces } = await env.DB.prepare("select id from workspaces").all<{ id: number }>();
  for (const { id } of workspaces) {
    const wrong = await db.read(wrongWorkspaceTotals(id), wrongTotals(id), wrongCopies(id));
    if (wrong.flat().length > 0) broken.push(wrong.flat());
  }
  return broken;
}
