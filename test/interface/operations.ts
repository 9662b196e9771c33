import { type Call, makeWorkspace, type TestWorkspace } from "../harness";
import { document } from "./document";

// Operations come from the published document, so that these rules cover every new one.
export interface Operation {
  operationId: string;
  method: string;
  path: string;
  writes: boolean;
}

export const operations: Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { operationId }]) => ({
    operationId,
    path,
    method: method.toUpperCase(),
    writes: method !== "get",
  })),
);
export const reads = operations.filter(({ writes }) => !writes);
export const writes = operations.filter((operation) => operation.writes);

export interface Ids {
  link: string;
  tag: string;
  group: string;
}

/** A path of the document with its ids filled in. */
export const pathOf = (path: string, { link, tag }: Ids): string =>
  path.replace("{tagId}", tag).replace("{id}", path.startsWith("/api/v1/tags/") ? tag : link);

/** A valid body for each operation that has one. */
export const BODIES: Record<string, (ids: Ids) => object | undefined> = {
  createLink: () => ({ destination_url: "https://www.example.com/new" }),
  updateLink: () => ({ title: "Changed" }),
  deleteLink: () => undefined,
  attachTagsToLink: ({ tag }) => ({ tag_ids: [tag] }),
  detachTagFromLink: () => undefined,
  createTag: () => ({ name: "New" }),
  updateTag: () => ({ name: "Changed" }),
  deleteTag: () => undefined,
};

export const UNKNOWN: Ids = {
  link: "01JZ8Q4V6T3K9M2N5P7R8S0W1X",
  tag: "01JZ8Q4V6T3K9M2N5P7R8S0W2X",
  group: "01JZ8Q4V6T3K9M2N5P7R8S0W3X",
};

export const bodyOf = (operation: Operation, ids: Ids): Call => {
  const body = BODIES[operation.operationId]?.(ids);
  return body === undefined ? {} : { body };
};

export const perform = (ws: TestWorkspace, operation: Operation, ids: Ids, call: Call = {}) =>
  ws.call(operation.method, pathOf(operation.path, ids), { ...bodyOf(operation, ids), ...call });

/** A workspace with a link that has a tag and a group. */
export async function furnished(): Promise<{ ws: TestWorkspace; ids: Ids; slugs: Ids }> {
  const ws = await makeWorkspace();
  const [tag, group] = [await ws.tag(), await ws.group()];
  const link = await ws.link({ tag_ids: [tag.id], activity_group_id: group.id });
  return {
    ws,
    ids: { link: link.id, tag: tag.id, group: group.id },
    slugs: { link: link.slug, tag: tag.slug, group: group.slug },
  };
}

/** The ETag of the resource in the path. A tag is not read alone, so an update that changes nothing shows it. */
export async function etagOf(ws: TestWorkspace, { path }: Operation, ids: Ids): Promise<string> {
  const answer = path.startsWith("/api/v1/tags")
    ? await ws.call("PATCH", `/api/v1/tags/${ids.tag}`, { body: {} })
    : await ws.call("GET", `/api/v1/links/${ids.link}`);
  return answer.headers.get("etag") ?? "";
}

/** Everything that the API shows of a workspace. */
export const stateOf = async (ws: TestWorkspace): Promise<string[]> =>
  Promise.all(
    ["/api/v1/links?status=all", "/api/v1/tags", "/api/v1/activity-groups"].map(
      async (path) => (await ws.call("GET", path)).text,
    ),
  );

/** An answer without the headers that differ between requests. */
export const bytesOf = ({ status, text, headers }: { status: number; text: string; headers: Headers }) => ({
  status,
  text,
  headers: Object.fromEntries(
    [...headers].filter(([name]) => name !== "x-request-id" && name !== "server-timing"),
  ),
});
