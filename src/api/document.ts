import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Config } from "../context";
import { HEADERS } from "../http/headers";
import type { TracedEnv } from "../http/trace";
import { FIELD_CODES } from "../lib/field-codes";
import { describeInterface, LICENCE, PREFER, TAGS } from "./prose";
import { samplesOf } from "./samples";

type DocumentConfig = Pick<Config, "baseUrl">;

const METHODS = ["get", "post", "patch", "delete"] as const;

type Paths = NonNullable<ReturnType<OpenAPIHono["getOpenAPI31Document"]>["paths"]>;
type DocumentedOperation = NonNullable<Paths[string]["get"]>;

/** The tag of a path, whose third part has its name. */
const tagOf = (path: string): string[] =>
  TAGS.map(({ name }) => name).filter((name) => path.split("/")[3] === name.toLowerCase().replace(" ", "-"));

/** Adds what all operations have: their tag, the check of the key, the header `Prefer`, and examples. */
function complete(path: string, operation: DocumentedOperation): void {
  Object.assign(operation, samplesOf(operation.operationId ?? ""), {
    tags: tagOf(path),
    security: [{ bearer: [] }],
    parameters: [...(operation.parameters ?? []), PREFER],
  });
}

/** Builds the OpenAPI 3.1 document from the app's registered routes, with examples for each operation. */
const toOpenApiDocument = (app: OpenAPIHono<TracedEnv>, config: DocumentConfig) => {
  const document = app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "Waymark",
      version: "1.0.0",
      description: describeInterface(config.baseUrl, FIELD_CODES),
      contact: { name: "The operator of this service", url: config.baseUrl },
      license: LICENCE,
    },
    servers: [{ url: config.baseUrl }],
    tags: TAGS,
  });
  for (const [path, operations] of Object.entries(document.paths ?? {})) {
    for (const method of METHODS) {
      const operation = operations[method];
      if (operation !== undefined) complete(path, operation);
    }
  }
  return {
    ...document,
    components: {
      ...document.components,
      headers: HEADERS,
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
