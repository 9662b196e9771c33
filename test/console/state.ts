import type { Link } from "../../src/resources/links/link-schema";
import type { TestWorkspace } from "../harness";
import { runSql } from "../sql";

// What the interface says of a workspace whose pages a test has used.

export const linkOf = async (ws: TestWorkspace, id: string): Promise<Link> =>
  (await ws.call("GET", `/api/v1/links/${id}`)).body;

/** All links, or those of a query, the oldest first. */
export const linksOf = async (
  ws: TestWorkspace,
  query = "status=all&sort=created_at&per_page=100",
): Promise<Link[]> => (await ws.call("GET", `/api/v1/links?${query}`)).body.links;

/** The link with a slug. Throws if there is none. */
export async function linkAt(ws: TestWorkspace, slug: string): Promise<Link> {
  const [link] = await linksOf(ws, `status=all&slug=${slug}`);
  if (link === undefined) throw new Error(`there is no link ${slug}`);
  return link;
}

export const totalOf = async (ws: TestWorkspace, query = "status=all"): Promise<number> =>
  (await ws.call("GET", `/api/v1/links?per_page=1&${query}`)).body.meta.total;

const names = (list: readonly { name: string }[]): string[] => list.map(({ name }) => name);

export const tagsOf = async (ws: TestWorkspace): Promise<string[]> =>
  names((await ws.call("GET", "/api/v1/tags")).body.tags);

/** The names of a link's tags. */
export const tagsOn = ({ tags }: Link): string[] => names(tags);

/** Stores another number of tags than there are, which is what the limit counts. */
export const setTagCount = (ws: TestWorkspace, count: number) =>
  runSql`update workspaces set tag_count = ${count} where id = ${ws}`;
