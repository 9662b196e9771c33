import Ajv2020, { type ValidateFunction } from "ajv/dist/2020";
import addFormats from "ajv-formats";
import { API, send } from "../harness";

export interface Schema {
  $ref?: string;
  type?: string | string[];
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  enum?: unknown[];
  example?: unknown;
}

interface Media {
  content?: Record<string, { schema: Schema }>;
}

export interface DocumentedOperation {
  operationId: string;
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[];
  requestBody?: Media;
  responses: Record<string, Media>;
}

interface Document {
  paths: Record<string, Record<string, DocumentedOperation>>;
  components: { schemas: Record<string, Schema> };
}

export const published = await send(new Request(`${API}/api/v1/openapi.json`));
export const document: Document = await published.json();
export const components = document.components.schemas;

const JSON_TYPE = "application/json";

export function documented(operationId: string): DocumentedOperation {
  const all = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const found = all.find((operation) => operation.operationId === operationId);
  if (found === undefined) throw new Error(`${operationId} is not documented`);
  return found;
}

export const requestSchema = ({ requestBody }: DocumentedOperation): Schema | undefined =>
  requestBody?.content?.[JSON_TYPE]?.schema;

export const responseSchema = (
  { responses }: DocumentedOperation,
  status: number | string,
): Schema | undefined => responses[String(status)]?.content?.[JSON_TYPE]?.schema;

/** A self-contained schema that allows no unlisted properties. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== "object" || value === null) return value;
  const copy = Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      name === "$ref" ? String(part).replace("#/components/schemas/", "") : closed(part),
    ]),
  );
  return copy["type"] === "object" && "properties" in copy ? { additionalProperties: false, ...copy } : copy;
}

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
addFormats(ajv);
ajv.addKeyword("example");
// A format of JSON Schema 2020-12 that ajv-formats lacks.
ajv.addFormat("iri", /^[a-z][a-z0-9+.-]*:\S+$/i);
for (const [name, schema] of Object.entries(components)) ajv.addSchema(closed(schema) as object, name);

const validators = new Map<Schema, ValidateFunction>();

/** The compiled schema, cached. */
function validatorOf(schema: Schema): ValidateFunction {
  const known = validators.get(schema) ?? ajv.compile(closed(schema) as object);
  validators.set(schema, known);
  return known;
}

/** Lists a body's schema errors, undocumented properties included. Throws for an invalid schema. */
export function faults(schema: Schema, body: unknown): string[] {
  const validate = validatorOf(schema);
  if (validate(body)) return [];
  return (validate.errors ?? []).map(
    (error) => `${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`,
  );
}

/** Builds an example from the properties' examples. Leaves out optional properties without one. */
export function exampleOf(schema: Schema, needed = true): unknown {
  if (schema.$ref !== undefined) {
    return exampleOf(components[schema.$ref.replace("#/components/schemas/", "")] ?? {}, needed);
  }
  if ("example" in schema) return schema.example;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.items !== undefined) return [exampleOf(schema.items, needed)];
  if (schema.properties !== undefined) {
    const parts = Object.entries(schema.properties).map(
      ([name, part]) => [name, exampleOf(part, needed && (schema.required ?? []).includes(name))] as const,
    );
    return Object.fromEntries(parts.filter(([, value]) => value !== undefined));
  }
  if (needed) throw new Error(`no example: ${JSON.stringify(schema)}`);
  return undefined;
}
