import type { Context } from "../../context";
import { cutPage, metaOf, offsetOf } from "../../lib/paging";
import { unaccented } from "../../lib/words";
import { type FindPlan, isIndexed, MAX_FOUND_LINKS, planFind, type Word } from "./find/plan";
import {
  amongFound,
  countWords,
  type OpenedRow,
  selectFoundPage,
  selectGroupNames,
  selectOpenedLink,
  selectTagNames,
} from "./find/query";
import { type Terms, toTerms } from "./find/terms";
import { type LinksPage, listSomeLinks, toLinksPage } from "./list";
import { countAmong } from "./list/candidates";
import { type LinkFilter, type ListQuery, toFilter } from "./list/filter";
import { isIndexDropped } from "./list/matches";
import { positionOf, toAfter } from "./list/position";

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

export interface FoundLinks extends LinksPage {
  exact: ExactMatch | null;
  /** How many links were looked at, if there may be more that match; else null. */
  lookedAt: number | null;
}

type FindQuery = ListQuery & { find: string };

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

async function readFound(ctx: Context, filter: LinkFilter, query: FindQuery) {
  const { sort, page, per_page: perPage } = query;
  const { plan, exact } = await planOf(ctx, filter, toTerms(query.find, ctx.config.ownHosts));
  const after = query.after === undefined ? undefined : toAfter(query.after, sort).position;
  const workspaceId = ctx.workspace.rowId;
  const [[counted], rows] = await ctx.db.read(
    // An export has counted them on its first page.
    query.readsAllPages === true && after !== undefined
      ? undefined
      : countAmong(amongFound(workspaceId, plan)),
    selectFoundPage(workspaceId, plan, sort, {
      after,
      offset: after === undefined ? offsetOf(page, perPage) : 0,
      limit: perPage + 1,
      // A cursor has no place for the link that comes first, so paging by cursors starts on a page without it.
      exactFirst: after === undefined && query.readsAllPages !== true,
    }),
  );
  return { plan, exact, rows, total: counted?.total ?? 0, isCut: isCut(plan, counted?.looked ?? 0) };
}

/** Whether the source may have had more links than it was read for. */
const isCut = ({ source, most }: FindPlan, candidates: number): boolean =>
  source.from !== "link" && candidates >= most;

/**
 * Finds links by a pasted short URL, a slug, a code, a destination or words, within the filters of a list. The link that
 * the whole text names comes first. `nextAfter` is only for reading all pages: pages are turned by their number.
 */
export async function findLinks(ctx: Context, query: FindQuery): Promise<FoundLinks> {
  const { find: _, ...filters } = query;
  const filter = toFilter({ ...filters, q: undefined });
  const { plan, exact, rows, total, isCut } = await readFound(ctx, filter, query).catch((error: unknown) => {
    if (!isIndexDropped(error)) throw error;
    return readFound(ctx, { ...filter, hasSearchIndex: false }, query);
  });
  const { shown, nextAfter } = cutPage(rows, query.per_page, query.sort, (row) =>
    positionOf(row, query.sort),
  );
  return {
    ...toLinksPage(ctx, shown, metaOf(query.page, query.per_page, total), nextAfter),
    exact,
    lookedAt: isCut ? plan.most : null,
  };
}

/** The links of a list in the web application, with or without a search. */
export const listFound = async (ctx: Context, query: ListQuery): Promise<FoundLinks> => {
  const { find } = query;
  if (find !== undefined) return findLinks(ctx, { ...query, find });
  return { ...(await listSomeLinks(ctx, query)), exact: null };
};
