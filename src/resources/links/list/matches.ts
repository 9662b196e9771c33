import { type SQL, sql } from "drizzle-orm";
import type { ListLinks } from "../link-schema";
import { asInteger, SEARCH_ROW_ID, SEARCH_TABLE, toSearchRowId } from "../search-table";
import type { LinkFilter } from "./list-filter";
import { requiredWords } from "./plan-words";

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** The expression of FTS5 for an exact part of a text, with its accents. */
const toExactExpression = (search: string): SQL => sql`${`- plain : ${quoted(search)}`}`;

/** The expression of FTS5 for texts with all of the words, without regard to accents. */
export const toExpression = (words: readonly string[]): string => words.map(quoted).join(" AND ");

/** The rows of the search index with the text of a list's filter, in one workspace and status. */
export const whereMatchesFilter = (workspaceId: number, filter: LinkFilter): SQL =>
  whereMatches(
    workspaceId,
    filter.status,
    filter.search === undefined
      ? sql`${toExpression(requiredWords(filter).map(({ text }) => text))}`
      : toExactExpression(filter.search),
  );

/** The rows of the search index that match an expression, in one workspace and status. */
export function whereMatches(workspaceId: number, status: ListLinks["status"], expression: SQL): SQL {
  const [first, last] = { active: [0, 0], archived: [1, 1], all: [0, 1] }[status];
  const number = (archived: number | undefined) =>
    toSearchRowId(asInteger(workspaceId), sql.raw(String(archived)), sql.raw("0"));
  return sql`${SEARCH_TABLE} match ${expression} and ${SEARCH_ROW_ID} >= ${number(first)} and ${SEARCH_ROW_ID} < ${number(last)} + (1 << 32)`;
}

export const MATCHED_LINK_ID = sql`(${SEARCH_ROW_ID} & 4294967295)`;

/** Whether a query failed because the search index is dropped. */
export const isIndexDropped = (error: unknown): boolean =>
  /unable to use function MATCH|no such column: link_search/i.test(
    String(error instanceof Error ? `${error.message} ${error.cause ?? ""}` : error),
  );
