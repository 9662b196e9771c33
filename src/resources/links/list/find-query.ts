import { and, eq, or, type SQL, sql } from "drizzle-orm";
import type { Statement } from "../../../db/client";
import { activityGroups } from "../../../db/schema/activity-groups";
import { offlineAssets } from "../../../db/schema/engagement";
import { links, slugs } from "../../../db/schema/links";
import { linkTags, tags } from "../../../db/schema/tags";
import { type ListedRow, selectListedLinks } from "../repository";
import { SEARCH_ROW_ID, SEARCH_TABLE } from "../search-table";
import { type Among, selectIdsAmong, selectNewestIds } from "./candidates";
import type { LinkFilter, ListSort } from "./filter";
import type { FindPlan, Source, Word } from "./find-plan";
import { MATCHED_LINK_ID, toExpression, whereMatches } from "./matches";
import { orderBy, whereAfter } from "./order";
import type { Index } from "./plan";
import type { Pagination } from "./query";
import { whereLinks } from "./where";

interface NameRow {
  id: number;
  name: string;
}

export const selectTagNames =
  (workspaceId: number): Statement<NameRow[]> =>
  (orm) =>
    orm.select({ id: tags.id, name: tags.name }).from(tags).where(eq(tags.workspace_id, workspaceId));

export const selectGroupNames =
  (workspaceId: number, most: number): Statement<NameRow[]> =>
  (orm) =>
    orm
      .select({ id: activityGroups.id, name: activityGroups.name })
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

export const selectOpenedLink =
  (workspaceId: number, key: string): Statement<OpenedRow[]> =>
  (orm) =>
    orm.all<OpenedRow>(sql`select ${links.id} as link_id, ${links.public_id} as link, ${links.slug_key} = ${slugs.key} as is_current,
        ${slugs.asset} as asset, ${offlineAssets.name} as asset_name
      from ${slugs} cross join ${links} on ${links.id} = ${slugs.link_id} and +${links.workspace_id} = ${slugs.workspace_id}
      left join ${offlineAssets} on ${offlineAssets.public_id} = ${slugs.asset} and +${offlineAssets.workspace_id} = ${slugs.workspace_id}
      where ${slugs.key} = ${key} and +${slugs.workspace_id} = ${workspaceId} and ${links.deleted_at} is null`);

const whereExpression = (workspaceId: number, { status }: LinkFilter, expression: string): SQL =>
  whereMatches(workspaceId, status, sql`${expression}`);

/** How many links have each word in their text, counted up to one more than `most`. */
export const countWords =
  (
    workspaceId: number,
    filter: LinkFilter,
    words: readonly string[],
    most: number,
  ): Statement<{ word: string; total: number }[]> =>
  (orm) => {
    // One statement whatever the number of words: D1 allows five terms in a compound select.
    const pairs = JSON.stringify(words.map((word) => [word, toExpression([word])]));
    return orm.all(sql`select word.value ->> 0 as word, (select count(*) from (select 1 from ${SEARCH_TABLE}
        where ${whereMatches(workspaceId, filter.status, sql`(word.value ->> 1)`)} limit ${most + 1})) as total
      from json_each(${pairs}) as word`);
  };

/** Always one parameter, since there is a list for each word and D1 allows 100 parameters. */
const inIds = (ids: readonly number[]): SQL => sql`(select value from json_each(${JSON.stringify(ids)}))`;

/** The row ids of the links that a source finds, as `id`. */
function selectCandidates(workspaceId: number, plan: FindPlan): SQL {
  const { filter, source, most } = plan;
  const newest = (index: Index) => selectNewestIds(workspaceId, filter, index, most);
  const ofText = (expression: string) => sql`select ${MATCHED_LINK_ID} as id from ${SEARCH_TABLE}
    where ${whereExpression(workspaceId, filter, expression)} order by ${SEARCH_ROW_ID} desc limit ${most}`;
  const exact = sql`select ${plan.exact} as id where ${plan.exact} is not null`;
  const parts: Record<Source["from"], () => SQL[]> = {
    link: () => [],
    text: () => (source.from === "text" ? [ofText(source.expression)] : []),
    names: () =>
      source.from === "names"
        ? [
            ofText(source.expression),
            sql`select ${linkTags.link_id} as id from ${linkTags} where ${linkTags.workspace_id} = ${workspaceId}
              and ${linkTags.tag_id} in ${inIds(source.word.tagIds)} limit ${most}`,
            sql`select ${links.id} as id from ${links} where ${links.workspace_id} = ${workspaceId} and ${links.deleted_at} is null
              and ${links.activity_group_id} in ${inIds(source.word.groupIds)} limit ${most}`,
          ]
        : [],
    tag: () => [newest("tag")],
    group: () => [newest("group")],
    channel: () => [newest("channel")],
    import: () => [newest("import")],
    newest: () => [newest("order")],
  };
  return sql.join(
    [exact, ...parts[source.from]().map((part) => sql`select id from (${part})`)],
    sql` union `,
  );
}

/** The links that have the word in their text, without regard to accents. The text is one parameter, since there are many. */
const whereHasText = (word: string): SQL =>
  sql`instr(${links.slug_key} || char(10) || coalesce(${links.title_key}, '') || char(10) || ${links.destination_key}
    || char(10) || coalesce(${links.plain_text}, ''), ${word}) > 0`;

/**
 * The links that have the word in their text, or in the name of a tag or of their group. The unary plus reads the few
 * tags of a link, where SQLite would look for each of the named tags.
 */
const whereHasWord = ({ text, tagIds, groupIds }: Word): SQL | undefined =>
  or(
    tagIds.length === 0
      ? undefined
      : sql`exists (select 1 from ${linkTags} as own where own.link_id = ${links.id} and +own.tag_id in ${inIds(tagIds)})`,
    groupIds.length === 0 ? undefined : sql`+${links.activity_group_id} in ${inIds(groupIds)}`,
    whereHasText(text),
  );

/** The links that a search finds among its candidates. */
export function amongFound(workspaceId: number, plan: FindPlan): Among {
  const { filter, checked, exact } = plan;
  const words = and(...checked.map(whereHasWord));
  const isMeant = words === undefined ? undefined : or(sql`${links.id} = ${exact}`, words);
  return {
    candidates: selectCandidates(workspaceId, plan),
    where: and(whereLinks(workspaceId, filter, "search"), isMeant),
  };
}

/** A page of the links that a search finds. With `exactFirst`, the link that the text names comes first. */
export const selectFoundPage =
  (
    workspaceId: number,
    plan: FindPlan,
    sort: ListSort,
    page: Pagination & { exactFirst: boolean },
  ): Statement<ListedRow[]> =>
  (orm) => {
    const order = { sort, index: "search" as const, status: plan.filter.status };
    const ordered = page.exactFirst
      ? sql`${links.id} is ${plan.exact} desc, ${orderBy(order)}`
      : orderBy(order);
    const after = whereAfter(page.after, order);
    const ids = selectIdsAmong(amongFound(workspaceId, plan), ordered, { ...page, after });
    return selectListedLinks(orm)
      .where(sql`+${links.workspace_id} = ${workspaceId} and ${links.id} in (${ids})`)
      .orderBy(ordered)
      .limit(page.limit);
  };
