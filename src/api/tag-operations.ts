import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import { pathId } from "../http/common-fields";
import { empty, IDEMPOTENCY_KEY, IF_MATCH, json, jsonBody, message, refusals } from "../http/contract";
import { operation } from "../http/operation";
import type { TracedEnv } from "../http/trace";
import { deleteTag } from "../resources/links/remove-tag";
import { createTagSchema, tagSchema, updateTagSchema } from "../resources/tags/tag-schema";
import { createTag, getTagRow, listTags, updateTag } from "../resources/tags/tag-service";

const tagPath = z.object({ id: pathId("tag") });

const CREATED = "Tag created successfully.";
const UPDATED = "Tag updated successfully.";
const messageAndTag = (text: string) => z.object({ message: message(text), tag: tagSchema });

const listTagsRoute = createRoute({
  method: "get",
  path: "/api/v1/tags",
  operationId: "listTags",
  summary: "List tags",
  description: "Lists all tags by name, without pages: a workspace has at most 1,000.",
  responses: { 200: json("All tags by name", z.object({ tags: z.array(tagSchema) })), ...refusals(404, 422) },
});

const createTagRoute = createRoute({
  method: "post",
  path: "/api/v1/tags",
  operationId: "createTag",
  summary: "Create a tag",
  description:
    "Creates a tag. Its name is unique in the workspace without regard to case, and its slug is unique too. The thousand-and-first tag is 422 on `tag_limit`.",
  request: { headers: IDEMPOTENCY_KEY, body: jsonBody(createTagSchema) },
  responses: {
    201: json("The new tag", messageAndTag(CREATED), "ETag", "Idempotent-Replayed"),
    ...refusals(403, 404, 409, 413, 422),
  },
});

const updateTagRoute = createRoute({
  method: "patch",
  path: "/api/v1/tags/{id}",
  operationId: "updateTag",
  summary: "Update a tag",
  description:
    "Changes the fields that are sent. An omitted field stays. Links show the changed tag, so their ETags change too.",
  request: { params: tagPath, headers: IF_MATCH, body: jsonBody(updateTagSchema) },
  responses: {
    200: json("The updated tag", messageAndTag(UPDATED), "ETag"),
    ...refusals(403, 404, 412, 413, 422),
  },
});

const deleteTagRoute = createRoute({
  method: "delete",
  path: "/api/v1/tags/{id}",
  operationId: "deleteTag",
  summary: "Delete a tag",
  description: "Deletes a tag and takes it off all links. The links stay.",
  request: { params: tagPath, headers: IF_MATCH },
  responses: { 204: empty("Deleted"), ...refusals(403, 404, 412, 422) },
});

export function registerTags(app: OpenAPIHono<TracedEnv>): void {
  operation(app, listTagsRoute, {
    run: (ctx) => listTags(ctx),
    reply: (tags) => ({ status: 200, body: { tags } }),
  });
  operation(app, createTagRoute, {
    run: (ctx, { body }) => createTag(ctx, body),
    reply: (tag) => ({ status: 201, body: { message: CREATED, tag }, entity: tag }),
  });
  operation(app, updateTagRoute, {
    assertPath: (ctx, { id }) => getTagRow(ctx, id),
    run: (ctx, { params, body }) => updateTag(ctx, params.id, body),
    reply: (tag) => ({ status: 200, body: { message: UPDATED, tag }, entity: tag }),
  });
  operation(app, deleteTagRoute, {
    assertPath: (ctx, { id }) => getTagRow(ctx, id),
    run: (ctx, { params }) => deleteTag(ctx, params.id),
    reply: () => ({ status: 204 }),
  });
}
