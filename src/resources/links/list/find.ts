import type { Context } from "../../../context";
import { unaccented } from "../../../lib/words";
import type { ListedRow } from "../repository";
import { countAmong } from "./candidates";
import { type LinkFilter, type ListSort, toFilter } from "./filter";
import { isIndexed, MAX_FOUND_LINKS, planFind, type Word } from "./find-plan";
import {
  amongFound,
  countWords,
  type OpenedRow,
  selectFoundPage,
  selectGroupNames,
  selectOpenedLink,
  selectTagNames,
} from "./find-query";
import type { Pagination } from "./query";
import { type Terms, toTerms } from "./terms";

/** More groups are not found by their names. */
const MAX_GROUPS = 2_000;

/** The link that the whole text names. */
export interface ExactMatch {
  /** Public id of the link. */
  link: string;
  by: "slug" | "old slug" | "code";
  /** The asset of a code. */
  asset: { id: string; name: string } | null;
}

const toExact = (row: OpenedRow | undefined): ExactMatch | null =>
  row === undefined
    ? null
    : {
        link: row.link,
        by: row.asset !== null ? "code" : row.is_current === 1 ? "slug" : "old slug",
        asset: row.asset === null ? null : { id: row.asset, name: row.asset_name ?? row.asset },
      };

/** Reads what the words name: a slug or code, tags, groups, and the number of links with each word. */
async function readTerms(ctx: Context, filter: LinkFilter, { slugKey, words }: Terms) {
  const workspaceId = ctx.workspace.rowId;
  const counted = filter.hasSearchIndex && words.length > 1 ? words.filter(isIndexed) : [];
  const [[opened], tags, groups, counts] = await ctx.db.read(
    slugKey === undefined ? undefined : selectOpenedLink(workspaceId, slugKey),
    words.length === 0 ? undefined : selectTagNames(workspaceId),
    words.length === 0 ? undefined : selectGroupNames(workspaceId, MAX_GROUPS),
    counted.length === 0 ? undefined : countWords(workspaceId, filter, counted, MAX_FOUND_LINKS),
  );
  const keys = (rows: typeof tags) => rows.map(({ id, name }) => ({ id, key: unaccented(name) }));
  const [tagKeys, groupKeys] = [keys(tags), keys(groups)];
  const idsWith = (named: typeof tagKeys, word: string): number[] =>
    named.filter(({ key }) => key.includes(word)).map(({ id }) => id);
  const known: Word[] = words.map((text) => ({
    text,
    tagIds: idsWith(tagKeys, text),
    groupIds: idsWith(groupKeys, text),
    matches: counts.find(({ word }) => word === text)?.total ?? 0,
  }));
  return { opened, words: known };
}

async function planOf(ctx: Context, filter: LinkFilter, terms: Terms) {
  const { opened, words } = await readTerms(ctx, filter, terms);
  const { isShortUrl } = terms;
  const plan = planFind(
    // Whoever pastes a short URL wants its link, whatever the filters are.
    isShortUrl ? { ...toFilter({ status: "all" }), hasSearchIndex: filter.hasSearchIndex } : filter,
    words,
    { exact: opened?.link_id ?? null, isShortUrl },
  );
  return { plan, exact: toExact(opened) };
}

/** The links of a search: those that it finds among the links that it looks at. */
export interface Found {
  rows: ListedRow[];
  total: number;
  /** How many links were looked at, if there may be more that match; else null. */
  lookedAt: number | null;
  exact: ExactMatch | null;
}

/** Reads a page of what a text finds. With `exactFirst`, the link that the whole text names comes first. */
export async function readFound(
  ctx: Context,
  filter: LinkFilter,
  text: string,
  sort: ListSort,
  page: Pagination & { isCounted: boolean; exactFirst: boolean },
): Promise<Found> {
  const { plan, exact } = await planOf(ctx, filter, toTerms(text, ctx.config.ownHosts));
  const workspaceId = ctx.workspace.rowId;
  const [[counted], rows] = await ctx.db.read(
    page.isCounted ? undefined : countAmong(amongFound(workspaceId, plan)),
    selectFoundPage(workspaceId, plan, sort, page),
  );
  const { total = 0, looked = 0 } = counted ?? {};
  return {
    rows,
    total,
    lookedAt: plan.source.from !== "link" && looked >= plan.most ? plan.most : null,
    exact,
  };
}
