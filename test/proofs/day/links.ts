import { createApiKey } from "../../../src/access/keys";
import type { ServiceContext, WorkspaceContext } from "../../../src/context";
import { createWorkspace, getWorkspace } from "../../../src/resources/workspaces/workspace-service";
import type { Store } from "./database";

// A workspace with links, written by SQL as the API would, since thousands of requests take longer than a day of visits.

/** Every other link is in a group. */
const LINKS_PER_GROUP = 40;
/** Of so many links one has an asset, by whose code it is visited. */
const LINKS_PER_ASSET = 10;

export interface Visited {
  id: string;
  slug: string;
  /** The code of its asset, by which it is visited. */
  code?: string;
}

const HOST = "www.example.com";
const idOf = (kind: string, number: number) => `01JZ${kind}${String(number).padStart(21, "0")}`;
export const destinationOf = (slug: string, change: number): string =>
  `https://${HOST}/${slug}?change=${change}`;

export async function makeLinks(service: ServiceContext, store: Store, count: number) {
  await createWorkspace(service, { name: "Acme", slug: "acme" });
  const workspace = await getWorkspace(service, "acme");
  const ctx: WorkspaceContext = { ...service, workspace };
  const { key } = await createApiKey(ctx, { name: "day" });
  const { rowId } = workspace;
  const at = service.now();
  const numbers = (below: number) =>
    `with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n < ${below - 1})`;
  const groups = Math.ceil(count / LINKS_PER_GROUP);
  const destination = `'https://${HOST}/s' || n || '?change=0'`;
  for (const statement of [
    `insert into activity_groups (public_id, workspace_id, name, name_key, slug, type, search_text, status, created_at, updated_at)
      ${numbers(groups)} select printf('01JZG%021d', n), ${rowId}, 'Group ' || n, 'group ' || n, 'group-' || n, 'campaign',
        'group ' || n, 'active', ${at}, ${at} from numbers`,
    `insert into links (public_id, workspace_id, slug, slug_key, destination_url, destination_key, destination_host,
        utm_source, utm_medium, utm_campaign_origin, activity_group_id, created_at, created_by, updated_at)
      ${numbers(count)} select printf('01JZA%021d', n), ${rowId}, 's' || n, 's' || n, ${destination}, ${destination}, '${HOST}',
        'newsletter', 'email', 'inherited', case when n % 2 = 0 then (select min(id) from activity_groups) + n / 2 % ${groups} end,
        ${at} - n, 'operator', ${at} - n from numbers`,
    `insert into slugs (key, workspace_id, link_id, created_at) select slug_key, workspace_id, id, created_at from links`,
    `insert into activity_group_items (workspace_id, link_id, activity_group_id, role, started_at)
      select workspace_id, id, activity_group_id, 'primary', created_at from links where activity_group_id is not null`,
    `insert into offline_assets (public_id, workspace_id, link_id, name, kind, status, place, live_at, created_at, updated_at)
      select '01JZB' || substr(public_id, 6), workspace_id, id, 'Poster ' || id, 'poster', 'live', 'Hall', ${at}, ${at}, ${at}
      from links where (id - 1) % ${LINKS_PER_ASSET} = 0`,
    `insert into slugs (key, workspace_id, link_id, asset, created_at)
      select 'c' || (link_id - 1), workspace_id, link_id, public_id, created_at from offline_assets`,
    `insert into link_totals (workspace_id, kind, key, active, archived)
      select workspace_id, 'group', activity_group_id, count(*), 0 from links where activity_group_id is not null group by 1, 3`,
    ...["utm_source", "utm_medium"].map(
      (name) => `insert into link_totals (workspace_id, kind, key, active, archived)
        select workspace_id, '${name}', ${name}, count(*), 0 from links group by 1, 3`,
    ),
    `update workspaces set active_links = ${count} where id = ${rowId}`,
  ])
    store.run(statement);
  const links = Array.from(
    { length: count },
    (_, n): Visited => ({
      id: idOf("A", n),
      slug: `s${n}`,
      ...(n % LINKS_PER_ASSET === 0 && { code: `c${n}` }),
    }),
  );
  return { key, ctx, links };
}
