import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import { BEARER, IDEMPOTENCY_KEY, IF_MATCH, IF_NONE_MATCH, json, jsonBody, refusals } from "../http/contract";
import { pathId } from "../http/fields";
import { operation } from "../http/operation";
import type { TracedEnv } from "../http/trace";
import { pageLinks } from "../lib/page-links";
import { createLink } from "./create";
import { deleteLink } from "./delete";
import { assertLinkPath, getLink } from "./link";
import { listLinks } from "./list";
import {
  attachTagsSchema,
  createLinkSchema,
  type Link,
  linkListSchema,
  linkSchema,
  listLinksQuery,
  updateLinkSchema,
} from "./schema";
import { attachTagsToLink, detachTagFromLink } from "./tags";
import { updateLink } from "./update";

const linkPath = z.object({ id: pathId() });

const message = (text: string) => z.string().openapi({ example: text });
const CREATED = "Link created successfully.";
const UPDATED = "Link updated successfully.";
const ATTACHED = "Tags attached successfully.";
const messageAndLink = (text: string) => z.object({ message: message(text), link: linkSchema });

const ok = (text: string) => (link: Link) =>
  ({ status: 200, body: { message: text, link }, entity: link }) as const;

const listLinksRoute = createRoute({
  method: "get",
  path: "/api/v1/links",
  operationId: "listLinks",
  summary: "List links",
  tags: ["Links"],
  security: BEARER,
  request: { query: listLinksQuery },
  responses: { 200: json("A page of links", linkListSchema), ...refusals(404, 422) },
});

const createLinkRoute = createRoute({
  method: "post",
  path: "/api/v1/links",
  operationId: "createLink",
  summary: "Create a link",
  tags: ["Links"],
  security: BEARER,
  request: { headers: IDEMPOTENCY_KEY, body: jsonBody(createLinkSchema) },
  responses: {
    201: json("The new link", messageAndLink(CREATED)),
    ...refusals(403, 404, 409, 413, 422),
  },
});

const getLinkRoute = createRoute({
  method: "get",
  path: "/api/v1/links/{id}",
  operationId: "getLink",
  summary: "Get a link",
  tags: ["Links"],
  security: BEARER,
  request: { params: linkPath, headers: IF_NONE_MATCH },
  responses: { 200: json("The link", linkSchema), 304: { description: "Not modified" }, ...refusals(404) },
});

const updateLinkRoute = createRoute({
  method: "patch",
  path: "/api/v1/links/{id}",
  operationId: "updateLink",
  summary: "Update a link",
  tags: ["Links"],
  security: BEARER,
  request: { params: linkPath, headers: IF_MATCH, body: jsonBody(updateLinkSchema) },
  responses: {
    200: json("The updated link", messageAndLink(UPDATED)),
    ...refusals(403, 404, 412, 413, 422),
  },
});

const deleteLinkRoute = createRoute({
  method: "delete",
  path: "/api/v1/links/{id}",
  operationId: "deleteLink",
  summary: "Delete a link",
  tags: ["Links"],
  security: BEARER,
  request: { params: linkPath, headers: IF_MATCH },
  responses: { 204: { description: "Deleted" }, ...refusals(403, 404, 412, 422) },
});

const attachTagsRoute = createRoute({
  method: "post",
  path: "/api/v1/links/{id}/tags",
  operationId: "attachTagsToLink",
  summary: "Attach tags to a link",
  tags: ["Links"],
  security: BEARER,
  request: {
    params: linkPath,
    headers: IDEMPOTENCY_KEY.extend(IF_MATCH.shape),
    body: jsonBody(attachTagsSchema),
  },
  responses: {
    200: json("The link with its tags", messageAndLink(ATTACHED)),
    ...refusals(403, 404, 409, 412, 413, 422),
  },
});

const detachTagRoute = createRoute({
  method: "delete",
  path: "/api/v1/links/{id}/tags/{tagId}",
  operationId: "detachTagFromLink",
  summary: "Detach a tag from a link",
  tags: ["Links"],
  security: BEARER,
  request: { params: linkPath.extend({ tagId: pathId() }), headers: IF_MATCH },
  responses: { 204: { description: "Detached" }, ...refusals(403, 404, 412) },
});

export function registerLinks(app: OpenAPIHono<TracedEnv>): void {
  operation(app, listLinksRoute, {
    query: { repeatable: ["tag", "slug", "external_id"] },
    run: (ctx, { query }) => listLinks(ctx, query),
    reply: ({ items, meta, nextAfter }, { url, config }) => ({
      status: 200,
      body: { links: items, meta },
      headers: { Link: pageLinks(config.baseUrl + url.pathname, url.search, meta, nextAfter) },
    }),
  });
  operation(app, createLinkRoute, {
    run: (ctx, { body }) => createLink(ctx, body),
    reply: (link) => ({ status: 201, body: { message: CREATED, link }, entity: link }),
  });
  operation(app, getLinkRoute, {
    run: (ctx, { params }) => getLink(ctx, params.id),
    reply: (link) => ({ status: 200, body: link, entity: link }),
  });
  operation(app, updateLinkRoute, {
    assertPath: (ctx, { id }) => assertLinkPath(ctx, id),
    run: (ctx, { params, body }) => updateLink(ctx, params.id, body),
    reply: ok(UPDATED),
  });
  operation(app, deleteLinkRoute, {
    run: (ctx, { params }) => deleteLink(ctx, params.id),
    reply: () => ({ status: 204 }),
  });
  operation(app, attachTagsRoute, {
    assertPath: (ctx, { id }) => assertLinkPath(ctx, id),
    run: (ctx, { params, body }) => attachTagsToLink(ctx, params.id, body.tag_ids),
    reply: ok(ATTACHED),
  });
  operation(app, detachTagRoute, {
    run: (ctx, { params }) => detachTagFromLink(ctx, params.id, params.tagId),
    reply: () => ({ status: 204 }),
  });
}
