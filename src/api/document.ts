import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Config } from "../context";
import type { TracedEnv } from "../http/trace";
import { codeBlock, samplesOf } from "./examples/samples";

type DocumentConfig = Pick<Config, "baseUrl">;

const DESCRIPTION = `Short links, tags and QR codes of one workspace, and look-up of its Activity Groups.
Send the workspace's API key as a Bearer token, from trusted server-side code alone.

The examples in curl, JavaScript and Python run as they stand, once the environment has the key and the API's address:`;

const RUNNING = `Save JavaScript as \`example.mjs\` and run \`node example.mjs\` (Node.js 20 or later). Save Python as \`example.py\` and run
\`python3 example.py\` (3.9 or later). Neither needs a package.`;

/** The project has no open licence: each operator decides who may use their service. */
const LICENCE = { name: "Proprietary to the operator of this service", identifier: "LicenseRef-Proprietary" };

const TAGS = [
  { name: "Links", description: "Short links, their tags and their QR files." },
  { name: "Tags", description: "Labels of links. A workspace has at most 1,000." },
  {
    name: "Activity Groups",
    description:
      "Campaigns, events, projects and the like that links belong to. They are made in the web application.",
  },
];

const METHODS = ["get", "post", "patch", "delete"] as const;

/** Builds the OpenAPI 3.1 document from the app's registered routes, with examples for each operation. */
const toOpenApiDocument = (app: OpenAPIHono<TracedEnv>, config: DocumentConfig) => {
  const variables = codeBlock("sh", `export KEY=lnk_…\nexport API=${config.baseUrl}/api/v1`);
  const document = app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "Waymark",
      version: "1.0.0",
      description: [DESCRIPTION, variables, RUNNING].join("\n\n"),
      contact: { name: "The operator of this service", url: config.baseUrl },
      license: LICENCE,
    },
    servers: [{ url: config.baseUrl }],
    tags: TAGS,
  });
  for (const path of Object.values(document.paths ?? {})) {
    for (const method of METHODS) {
      const operation = path[method];
      if (operation !== undefined) Object.assign(operation, samplesOf(operation.operationId ?? ""));
    }
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
export function openApiText(app: OpenAPIHono<TracedEnv>, config: DocumentConfig): string {
  const { baseUrl } = config;
  if (cached?.baseUrl !== baseUrl) {
    cached = { baseUrl, text: JSON.stringify(toOpenApiDocument(app, config)) };
  }
  return cached.text;
}
