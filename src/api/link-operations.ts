import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import { pathId } from "../http/common-fields";
import {
  empty,
  IDEMPOTENCY_KEY,
  IF_MATCH,
  IF_NONE_MATCH,
  json,
  jsonBody,
  message,
  notModified,
  refusals,
} from "../http/contract";
import { operation } from "../http/operation";
import type { TracedEnv } from "../http/trace";
import { createLink } from "../resources/links/create-link";
import { deleteLink } from "../resources/links/delete-link";
import { assertLinkPath, getLink } from "../resources/links/link";
import {
  attachTagsSchema,
  createLinkSchema,
  type Link,
  linkListSchema,
  linkSchema,
  listLinksQuery,
  updateLinkSchema,
} from "../resources/links/link-schema";
import { assertTagOfLink, attachTagsToLink, detachTagFromLink } from "../resources/links/link-tags";
import { listLinks } from "../resources/links/list-links";
import { updateLink } from "../resources/links/update-link";
import { linkHeader } from "./page-links";

const linkPath = z.object({ id: pathId("link") });

const CREATED = "Link created successfully.";
const UPDATED = "Link updated successfully.";
const ATTACHED = "Tags attached successfully.";
const messageAndLink = (text: string) => z.object({ message: message(text), link: linkSchema });

const ok = (text: string) => (link: Link) =>
  ({ status: 200, body: { message: text, link }, entity: link }) as const;

const UPDATE = `Changes the fields that are sent. An omitted field stays. Null clears a field, except \`destination_url\`, \`slug\` and
\`status\`. An update that changes nothing leaves \`updated_at\` and the ETag as they were.

What happens to \`utm_campaign\` depends on where its value came from (\`utm_campaign_origin\`):

| The request has | An explicit value | An inherited one, or none |
|---|---|---|
| \`utm_campaign\`, with or without a group | Becomes the given value, explicit | Becomes the given value, explicit |
| A group, the same one too, and no \`utm_campaign\` | Stays | Becomes the group's default as it is now, or null |
| \`utm_campaign: null\` | Becomes the group's default as it is now, or null, inherited | The same |
| \`activity_group_id: null\` | Stays | Becomes null |
| Neither | Stays | Stays, even if the group's default was edited or the group archived |`;

const LIST = `Lists the links that all filters match. A filter that names nothing in the workspace gives 200 and an empty list. To read
a whole list follow \`next\` of the \`Link\` header: it costs the same on every page. What it promises depends on \`sort\`, if links
change while pages are followed:

| \`sort\` | Links that match throughout |
|---|---|
| \`-created_at\`, \`created_at\` | Each comes exactly once |
| \`updated_at\` | Each comes at least once. One that changes meanwhile comes again at the end: this is the order for a sync |
| \`-updated_at\`, \`slug\`, \`title\` | One that changes meanwhile may be skipped or come twice |`;

const listLinksRoute = createRoute({
  method: "get",
  path: "/api/v1/links",
  operationId: "listLinks",
  summary: "List links",
  description: LIST,
  request: { query: listLinksQuery },
  responses: { 200: json("A page of links", linkListSchema, "Link"), ...refusals(404, 422) },
});

const createLinkRoute = createRoute({
  method: "post",
  path: "/api/v1/links",
  operationId: "createLink",
  summary: "Create a link",
  description:
    "Creates a link, with its tags. The number of links may be limited (422 on `link_limit`), and so is the number of slugs that a workspace has ever used (422 on `slug_limit`).",
  request: { headers: IDEMPOTENCY_KEY, body: jsonBody(createLinkSchema) },
  responses: {
    201: json("The new link", messageAndLink(CREATED), "ETag", "Idempotent-Replayed"),
    ...refusals(403, 404, 409, 413, 422),
  },
});

const getLinkRoute = createRoute({
  method: "get",
  path: "/api/v1/links/{id}",
  operationId: "getLink",
  summary: "Get a link",
  description: "Returns a link, an archived one too. A deleted link is 404.",
  request: { params: linkPath, headers: IF_NONE_MATCH },
  responses: { 200: json("The link", linkSchema, "ETag"), 304: notModified(), ...refusals(404, 422) },
});

const updateLinkRoute = createRoute({
  method: "patch",
  path: "/api/v1/links/{id}",
  operationId: "updateLink",
  summary: "Update a link",
  description: UPDATE,
  request: { params: linkPath, headers: IF_MATCH, body: jsonBody(updateLinkSchema) },
  responses: {
    200: json("The updated link", messageAndLink(UPDATED), "ETag"),
    ...refusals(403, 404, 412, 413, 422),
  },
});

const deleteLinkRoute = createRoute({
  method: "delete",
  path: "/api/v1/links/{id}",
  operationId: "deleteLink",
  summary: "Delete a link",
  description:
    "Deletes a link at once: every operation answers 404 for it, and its short URL leads nowhere. Its slugs are free again, for this workspace alone. A link on a live Offline Engagement asset is 422 on `link`.",
  request: { params: linkPath, headers: IF_MATCH },
  responses: { 204: empty("Deleted"), ...refusals(403, 404, 412, 422) },
});

const attachTagsRoute = createRoute({
  method: "post",
  path: "/api/v1/links/{id}/tags",
  operationId: "attachTagsToLink",
  summary: "Attach tags to a link",
  description:
    "Adds tags to those that the link has, all or none of them. A tag that it has already is no error. An unknown tag is 422 on `tag_ids.N`, more than 50 tags on the link are 422 on `tag_ids`. To replace the whole set, update the link.",
  request: {
    params: linkPath,
    headers: IDEMPOTENCY_KEY.extend(IF_MATCH.shape),
    body: jsonBody(attachTagsSchema),
  },
  responses: {
    200: json("The link with its tags", messageAndLink(ATTACHED), "ETag", "Idempotent-Replayed"),
    ...refusals(403, 404, 409, 412, 413, 422),
  },
});

const detachTagRoute = createRoute({
  method: "delete",
  path: "/api/v1/links/{id}/tags/{tagId}",
  operationId: "detachTagFromLink",
  summary: "Detach a tag from a link",
  description: "Takes a tag off a link. The tag stays. A tag that the link does not have is 404.",
  request: { params: linkPath.extend({ tagId: pathId("tag") }), headers: IF_MATCH },
  responses: { 204: empty("Detached"), ...refusals(403, 404, 412, 422) },
});

export function registerLinks(app: OpenAPIHono<TracedEnv>): void {
  operation(app, listLinksRoute, {
    query: { repeatable: ["tag", "slug", "external_id"] },
    run: (ctx, { query }) => listLinks(ctx, query),
    reply: ({ items, meta, nextAfter }, { url, config }) => ({
      status: 200,
      body: { links: items, meta },
      headers: linkHeader(config.baseUrl + url.pathname, url.search, meta, nextAfter),
    }),
  });
  operation(app, createLinkRoute, {
    run: (ctx, { body }) => createLink(ctx, body),
    reply: (link) => ({ status: 201, body: { message: CREATED, link }, entity: link }),
  });
  operation(app, getLinkRoute, {
    assertPath: (ctx, { id }) => assertLinkPath(ctx, id),
    run: (ctx, { params }) => getLink(ctx, params.id),
    reply: (link) => ({ status: 200, body: link, entity: link }),
  });
  operation(app, updateLinkRoute, {
    assertPath: (ctx, { id }) => assertLinkPath(ctx, id),
    run: (ctx, { params, body }) => updateLink(ctx, params.id, body),
    reply: ok(UPDATED),
  });
  operation(app, deleteLinkRoute, {
    assertPath: (ctx, { id }) => assertLinkPath(ctx, id),
    run: (ctx, { params }) => deleteLink(ctx, params.id),
    reply: () => ({ status: 204 }),
  });
  operation(app, attachTagsRoute, {
    assertPath: (ctx, { id }) => assertLinkPath(ctx, id),
    run: (ctx, { params, body }) => attachTagsToLink(ctx, params.id, body.tag_ids),
    reply: ok(ATTACHED),
  });
  operation(app, detachTagRoute, {
    assertPath: (ctx, { id, tagId }) => assertTagOfLink(ctx, id, tagId),
    run: (ctx, { params }) => detachTagFromLink(ctx, params.id, params.tagId),
    reply: () => ({ status: 204 }),
  });
}
