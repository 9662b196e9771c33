import { eq, type SQL, sql } from "drizzle-orm";
import { orm } from "../../../db/prepared";
import { activityGroups } from "../../../db/schema/activity-groups";
import { offlineAssets } from "../../../db/schema/engagement";
import { links, slugs } from "../../../db/schema/links";
import { tags } from "../../../db/schema/tags";
import { asInteger, SEARCH_ROW_ID, SEARCH_TABLE, toSearchRowId } from "../search-table";
import { isIndexedText, type LinkFilter, type Word } from "./list-filter";
import { MAX_FOUND_LINKS } from "./list-plan";

// What the text of a search names, and the search index.

/** The names of tags. A tag that is being merged has the name of the tag that its links show. */
export const selectTagNames = (workspaceId: number) =>
  orm.all<{
    id: number;
    public_id: string;
    name: string;
  }>(sql`select own.id as id, ${tags.public_id} as public_id, ${tags.name} as name from ${tags} as own
      cross join ${tags} on ${tags.id} = coalesce(own.replaced_by, own.id) where own.workspace_id = ${workspaceId}`);

export const selectGroupNames = (workspaceId: number, most: number) =>
  orm
    .select({ id: activityGroups.id, public_id: activityGroups.public_id, name: activityGroups.name })
    .from(activityGroups)
    .where(eq(activityGroups.workspace_id, workspaceId))
    .limit(most);

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

/** How many links have each word in their text, counted up to one more than a search looks at. */
export const countWords = (workspaceId: number, { status }: LinkFilter, words: readonly string[]) => {
  // One statement whatever the number of words: D1 allows five terms in a compound select.
  const pairs = JSON.stringify(words.map((word) => [word, toExpression([word])]));
  const matches: SQL = whereMatches(workspaceId, status, sql`(word.value ->> 1)`);
  return orm.all<{
    word: string;
    total: number;
  }>(sql`select word.value ->> 0 as word, (select count(*) from (select 1 from ${SEARCH_TABLE}
        where ${matches} limit ${MAX_FOUND_LINKS + 1})) as total
      from json_each(${pairs}) as word`);
};

/** The expression of FTS5 for texts with all of the words, without regard to accents. */
export const toExpression = (words: readonly string[]): string =>
  words.map((text) => `"${text.replaceAll('"', '""')}"`).join(" AND ");

/** The words that links must have in their text, since no name has them, as far as the search index finds them. */
export const requiredWords = (words: readonly Word[] = []): Word[] =>
  words.filter(({ text, tagIds, groupIds }) => isIndexedText(text) && tagIds.length + groupIds.length === 0);

/** The rows of the search index with the text of a list's filter, in one workspace and status. */
export const whereMatchesFilter = (workspaceId: number, filter: LinkFilter): SQL => {
  const { status, q } = filter;
  // The column `plain` has texts without their accents.
  const expression =
    q === undefined
      ? toExpression(requiredWords(filter.words).map(({ text }) => text))
      : `- plain : ${toExpression([q])}`;
  return whereMatches(workspaceId, status, sql`${expression}`);
};

/** The rows of the search index that match an expression, in one workspace and status. */
export function whereMatches(workspaceId: number, status: LinkFilter["status"], expression: SQL): SQL {
  const [first, last] = { active: ["0", "0"], archived: ["1", "1"], all: ["0", "1"] }[status];
  const number = (archived = "") => toSearchRowId(asInteger(workspaceId), sql.raw(archived), sql.raw("0"));
  return sql`${SEARCH_TABLE} match ${expression} and ${SEARCH_ROW_ID} >= ${number(first)} and ${SEARCH_ROW_ID} < ${number(last)} + (1 << 32)`;
}

export const MATCHED_LINK_ID = sql`(${SEARCH_ROW_ID} & 4294967295)`;

/** Whether a query failed because the search index is dropped. */
export const isIndexDropped = (error: unknown): boolean =>
  /unable to use function MATCH|no such column: link_search/i.test(
    String(error instanceof Error ? `${error.message} ${error.cause ?? ""}` : error),
  );
