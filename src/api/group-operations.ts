import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { json, refusals } from "../http/contract";
import { operation } from "../http/operation";
import type { TracedEnv } from "../http/trace";
import { activityGroupListSchema, listActivityGroupsQuery } from "../resources/activity-groups/group-schema";
import { listActivityGroups } from "../resources/activity-groups/group-service";
import { linkHeader } from "./page-links";

const listActivityGroupsRoute = createRoute({
  method: "get",
  path: "/api/v1/activity-groups",
  operationId: "listActivityGroups",
  summary: "Look up Activity Groups",
  description:
    "Lists the Activity Groups that all filters match, by name. A filter that names nothing in the workspace gives 200 and an empty list. A group that is renamed while pages are followed may be skipped or come twice. Groups are made and changed in the web application alone.",
  request: { query: listActivityGroupsQuery },
  responses: {
    200: json("A page of Activity Groups", activityGroupListSchema, "Link"),
    ...refusals(404, 422),
  },
});

export function registerActivityGroups(app: OpenAPIHono<TracedEnv>): void {
  operation(app, listActivityGroupsRoute, {
    run: (ctx, { query }) => listActivityGroups(ctx, query),
    reply: ({ items, meta, nextAfter }, { url, config, workspace }) => ({
      status: 200,
      body: { workspace: { name: workspace.name, slug: workspace.slug }, activity_groups: items, meta },
      headers: linkHeader(config.baseUrl + url.pathname, url.search, meta, nextAfter),
    }),
  });
}
