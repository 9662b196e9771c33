import { api } from "../../src/api/app";
import { openApiText } from "../../src/api/document";

interface Schema {
  $ref?: string;
  example?: unknown;
  type?: string;
  properties?: Record<string, Schema>;
}

interface Operation {
  operationId: string;
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, unknown>;
}

export interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

/** The document as a service with this address publishes it. */
export const publishedDocument = (baseUrl: string): Document => JSON.parse(openApiText(api, { baseUrl }));

/** The document with a number as the slug of a link, so that every link in an answer breaks it. */
export function breakDocument(document: Document): Document {
  const broken = structuredClone(document);
  const link = broken.components.schemas["Link"]?.properties;
  if (link === undefined) throw new Error("The document has no schema Link.");
  link["slug"] = { type: "integer" };
  return broken;
}

interface DocumentedOperation {
  operationId: string;
  method: string;
  path: string;
  statuses: number[];
  /** The example of its body, or that of its fields. */
  example: object | undefined;
}

function exampleOf(document: Document, { requestBody }: Operation): object | undefined {
  const name = requestBody?.content["application/json"]?.schema.$ref?.split("/").pop() ?? "";
  const { example, properties } = document.components.schemas[name] ?? {};
  if (typeof example === "object" && example !== null) return example;
  if (properties === undefined) return undefined;
  const fields = Object.entries(properties).map(([field, schema]) => [field, schema.example] as const);
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

export const operationsOf = (document: Document): DocumentedOperation[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      operationId: operation.operationId,
      path,
      method: method.toUpperCase(),
      statuses: Object.keys(operation.responses).map(Number),
      example: exampleOf(document, operation),
    })),
  );
