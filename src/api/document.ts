import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Config } from "../context";
import type { TracedEnv } from "../http/trace";
import { exampleOf, shellBlock } from "./examples";

const DESCRIPTION = `Short links, tags and QR codes of one workspace, and look-up of its Activity Groups.
Send the workspace's API key as a Bearer token, from trusted server-side code alone.

The examples run as they stand in a shell that knows the key and where the API is:`;

const METHODS = ["get", "post", "patch", "delete"] as const;

/** Builds the OpenAPI 3.1 document from the app's registered routes, with an example for each operation. */
const toOpenApiDocument = (app: OpenAPIHono<TracedEnv>, config: Config) => {
  const description = `${DESCRIPTION}\n\n${shellBlock(`KEY=lnk_…\nAPI=${config.baseUrl}/api/v1`)}`;
  const document = app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: { title: "Waymark", version: "1.0.0", description },
    servers: [{ url: config.baseUrl }],
    tags: [{ name: "Links" }, { name: "Tags" }, { name: "Activity Groups" }],
  });
  for (const item of Object.values(document.paths ?? {})) {
    for (const method of METHODS) Object.assign(item[method] ?? {}, exampleOf(item[method]?.operationId));
  }
  return {
    ...document,
    components: {
      ...document.components,
      securitySchemes: { bearer: { type: "http", scheme: "bearer", description: "An API key: `lnk_…`" } },
    },
  };
};

let cached: { baseUrl: string; text: string } | undefined;

/** The OpenAPI document as JSON. Cached per base URL, since it takes 6 ms of CPU and needs no key. */
export function openApiText(app: OpenAPIHono<TracedEnv>, config: Config): string {
  const { baseUrl } = config;
  if (cached?.baseUrl !== baseUrl) {
    cached = { baseUrl, text: JSON.stringify(toOpenApiDocument(app, config)) };
  }
  return cached.text;
}
