import { eq, type SQL, sql } from "drizzle-orm";
import { orm } from "../../../db/prepared";
import { activityGroups } from "../../../db/schema/activity-groups";
import { offlineAssets } from "../../../db/schema/engagement";
import { links, slugs } from "../../../db/schema/links";
import { tags } from "../../../db/schema/tags";
import { SEARCH_TABLE } from "../search-table";
import type { LinkFilter } from "./list-filter";
import { toExpression, whereMatches } from "./matches";

// What the text of a search names.

interface NameRow {
  id: number;
  public_id: string;
  name: string;
}

/** The names of tags. A tag that is being merged has the name of the tag that its links show. */
export const selectTagNames = (workspaceId: number) =>
  orm.all<NameRow>(sql`select own.id as id, ${tags.public_id} as public_id, ${tags.name} as name from ${tags} as own
      cross join ${tags} on ${tags.id} = coalesce(own.replaced_by, own.id) where own.workspace_id = ${workspaceId}`);

export const selectGroupNames = (workspaceId: number, most: number) =>
  orm
    .select({ id: activityGroups.id, public_id: activityGroups.public_id, name: activityGroups.name })
    .from(activityGroups)
    .where(eq(activityGroups.workspace_id, workspaceId))
    .limit(most);

/** The link that a slug or code opens. */
export interface OpenedRow {
  link_id: number;
  link: string;
  /** 1 if it is the link's current slug. */
  is_current: number;
  asset: string | null;
  asset_name: string | null;
}

/** The link that a key opens; of a slug without a domain the first, of which the short host is the first. */
export const selectOpenedLink = (workspaceId: number, named: string) =>
  orm.all<OpenedRow>(sql`select ${links.id} as link_id, ${links.public_id} as link, ${links.slug_key} = ${slugs.key} as is_current,
        ${slugs.asset} as asset, ${offlineAssets.name} as asset_name
      from ${slugs} cross join ${links} on ${links.id} = ${slugs.link_id} and +${links.workspace_id} = ${slugs.workspace_id}
      left join ${offlineAssets} on ${offlineAssets.public_id} = ${slugs.asset} and +${offlineAssets.workspace_id} = ${slugs.workspace_id}
      where ${named.includes("/") ? sql`${slugs.key} = ${named} and +${slugs.workspace_id}` : sql`${slugs.slug} = ${named} and ${slugs.workspace_id}`} = ${workspaceId}
        and ${links.deleted_at} is null order by ${slugs.domain} limit 1`);

/** How many links have each word in their text, counted up to one more than `most`. */
export const countWords = (
  workspaceId: number,
  { status }: LinkFilter,
  words: readonly string[],
  most: number,
) => {
  // One statement whatever the number of words: D1 allows five terms in a compound select.
  const pairs = JSON.stringify(words.map((word) => [word, toExpression([word])]));
  const matches: SQL = whereMatches(workspaceId, status, sql`(word.value ->> 1)`);
  return orm.all<{
    word: string;
    total: number;
  }>(sql`select word.value ->> 0 as word, (select count(*) from (select 1 from ${SEARCH_TABLE}
        where ${matches} limit ${most + 1})) as total
      from json_each(${pairs}) as word`);
};
