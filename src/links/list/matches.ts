import { type SQL, sql } from "drizzle-orm";
import type { ListLinks } from "../schema";
import { INDEX, numberOf, ROW, whole } from "../search-table";

/** The rows of the search index whose link is the workspace's, has the status, and contains the text. */
export function whereMatches(workspaceId: number, status: ListLinks["status"], search: string): SQL {
  const [first, last] = { active: [0, 0], archived: [1, 1], all: [0, 1] }[status];
  const number = (archived: number | undefined) =>
    numberOf(whole(workspaceId), sql.raw(String(archived)), sql.raw("0"));
  const phrase = `"${search.replaceAll('"', '""')}"`;
  return sql`${INDEX} match ${phrase} and ${ROW} >= ${number(first)} and ${ROW} < ${number(last)} + (1 << 32)`;
}

/** The row id of a match's link. */
export const LINK_ID = sql`(${ROW} & 4294967295)`;

/** Whether a query failed because the search index is dropped. */
export const isIndexDropped = (error: unknown): boolean =>
  /unable to use function MATCH|no such column: link_search/i.test(
    String(error instanceof Error ? `${error.message} ${error.cause ?? ""}` : error),
  );
