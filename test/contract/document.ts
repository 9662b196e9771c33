import { api } from "../../src/api/app";
import { openApiText } from "../../src/api/document";

export interface Document {
  paths: Record<string, Record<string, { operationId: string; responses: Record<string, unknown> }>>;
  components: { schemas: Record<string, { properties?: Record<string, unknown> }> };
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
}

export const operationsOf = ({ paths }: Document): DocumentedOperation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, responses }]) => ({
      operationId,
      path,
      method: method.toUpperCase(),
      statuses: Object.keys(responses).map(Number),
    })),
  );
