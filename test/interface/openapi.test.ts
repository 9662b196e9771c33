import { describe, expect, it, vi } from "vitest";
import { api } from "../../src/api/api-app";
import { FIELD_CODES } from "../../src/lib/field-codes";
import { API, makeWorkspace, send, testEnv } from "../harness";
import {
  components,
  document,
  documented,
  exampleOf,
  faults,
  published,
  requestSchema,
  responseSchema,
} from "./document";
import { furnished, operations, pathOf, perform } from "./operations";

// 422: every operation refuses unknown parameters if a request is strict.
const EVERY = [401, 404, 422, 429, 500, 503];
const WRITE = [...EVERY, 403];

// First the statuses of the interface, then those of the general rules.
const CONTRACT: [string, string, string, number[], number[]][] = [
  ["GET", "/api/v1/activity-groups", "listActivityGroups", [200, 401, 404, 422], EVERY],
  ["GET", "/api/v1/links", "listLinks", [200, 401, 404], [...EVERY, 422]],
  ["POST", "/api/v1/links", "createLink", [201, 401, 404, 422], [...WRITE, 409, 413]],
  ["GET", "/api/v1/links/{id}", "getLink", [200, 401, 404], [...EVERY, 304]],
  ["PATCH", "/api/v1/links/{id}", "updateLink", [200, 401, 404, 422], [...WRITE, 412, 413]],
  ["DELETE", "/api/v1/links/{id}", "deleteLink", [204, 401, 404, 422], [...WRITE, 412]],
  ["GET", "/api/v1/links/{id}/qr", "getLinkQr", [200, 401, 404, 422], [...EVERY, 304]],
  ["POST", "/api/v1/links/{id}/tags", "attachTagsToLink", [200, 401, 404, 422], [...WRITE, 409, 412, 413]],
  ["DELETE", "/api/v1/links/{id}/tags/{tagId}", "detachTagFromLink", [204, 401, 404], [...WRITE, 412]],
  ["GET", "/api/v1/tags", "listTags", [200, 401, 404], EVERY],
  ["POST", "/api/v1/tags", "createTag", [201, 401, 404, 422], [...WRITE, 409, 413]],
  ["PATCH", "/api/v1/tags/{id}", "updateTag", [200, 401, 404, 422], [...WRITE, 412, 413]],
  ["DELETE", "/api/v1/tags/{id}", "deleteTag", [204, 401, 404], [...WRITE, 412]],
];

describe("the OpenAPI document", () => {
  it("is served without a key, as JSON, for this address", () => {
    expect(published.status).toBe(200);
    expect(published.headers.get("content-type")).toMatch(/^application\/json/);
    expect(document).toMatchObject({ openapi: expect.stringMatching(/^3\.1\./), servers: [{ url: API }] });
  });

  it("lists exactly the 13 operations of the interface, each at its path", () => {
    const listed = operations.map(({ method, path, operationId }) => `${method} ${path} ${operationId}`);
    expect(listed.sort()).toEqual(CONTRACT.map(([method, path, id]) => `${method} ${path} ${id}`).sort());
    expect(listed).toHaveLength(13);
  });

  it.each(CONTRACT)("%s %s has the statuses of the interface and those of the general rules", (...row) => {
    const [, , operationId, promised, others] = row;
    const statuses = Object.keys(documented(operationId).responses).map(Number);
    expect(statuses).toEqual(expect.arrayContaining(promised));
    expect(statuses.sort()).toEqual([...new Set([...promised, ...others])].sort());
  });

  it("requires a Bearer key on each operation", () => {
    expect(document).toHaveProperty("components.securitySchemes.bearer.type", "http");
    expect(document).toHaveProperty("components.securitySchemes.bearer.scheme", "bearer");
    for (const { operationId } of operations) {
      expect(documented(operationId), operationId).toHaveProperty("security", [{ bearer: [] }]);
    }
  });

  // `npm run test:contract` lets public linters say that it is a valid document, without an unused component.
  it("has schemas that compile in JSON Schema 2020-12: every component, parameter and body", () => {
    const all = operations.flatMap(({ operationId }) => {
      const { parameters = [], requestBody, responses } = documented(operationId);
      const media = [requestBody, ...Object.values(responses)].flatMap((body) =>
        Object.values(body?.content ?? {}),
      );
      return [...parameters, ...media].map(({ schema }) => schema);
    });
    const schemas = [...Object.values(components), ...all];
    expect(schemas.length).toBeGreaterThan(100);
    for (const schema of schemas) expect(() => faults(schema, null), JSON.stringify(schema)).not.toThrow();
  });

  it("contains the limits of the interface", () => {
    const { CreateTagRequest, UpdateTagRequest, AttachTagsRequest } = components;
    for (const request of [CreateTagRequest, UpdateTagRequest]) {
      expect(request?.properties).toMatchObject({
        name: { minLength: 1, maxLength: 100 },
        slug: { minLength: 1, maxLength: 120, pattern: "^[a-z0-9-]+$" },
        colour: { maxLength: 32 },
        description: { maxLength: 255 },
      });
    }
    expect([CreateTagRequest?.required, UpdateTagRequest?.required]).toEqual([["name"], undefined]);
    expect(AttachTagsRequest?.properties?.["tag_ids"]).toMatchObject({ minItems: 1, maxItems: 50 });
    for (const list of ["listActivityGroups", "listLinks"]) {
      const schemas = new Map((documented(list).parameters ?? []).map(({ name, schema }) => [name, schema]));
      expect(schemas.get("page")).toMatchObject({ type: "integer", minimum: 1 });
      expect(schemas.get("per_page")).toMatchObject({
        type: "integer",
        minimum: 1,
        maximum: 100,
        default: 15,
      });
    }
  });
});

describe("the examples of the document", () => {
  it.each(operations)(
    "form a complete and valid body of every request and response of $operationId",
    ({ operationId }) => {
      const operation = documented(operationId);
      const answers = Object.keys(operation.responses).map((status) => responseSchema(operation, status));
      for (const schema of [requestSchema(operation), ...answers]) {
        if (schema !== undefined)
          expect(faults(schema, exampleOf(schema)), JSON.stringify(schema)).toEqual([]);
      }
    },
  );

  it.each(operations.filter(({ operationId }) => requestSchema(documented(operationId)) !== undefined))(
    "are accepted as a request of $operationId",
    async (operation) => {
      const { ws, ids } = await furnished();
      await ws.group({ slug: "summer-2026" });
      const example = exampleOf(requestSchema(documented(operation.operationId)) ?? {});
      // An example cannot contain this workspace's tags, and its slug may belong to another workspace.
      const own = { tag_ids: [ids.tag], slug: `example-${crypto.randomUUID().slice(0, 8)}` };
      const fields = Object.entries(example as object).map(([name, value]) => [
        name,
        Reflect.get(own, name) ?? value,
      ]);
      const answer = await perform(ws, operation, ids, { body: Object.fromEntries(fields) });
      expect([200, 201], answer.text).toContain(answer.status);
    },
  );
});

describe("the query parameters of the document", () => {
  const lists = operations.filter(({ operationId }) =>
    (documented(operationId).parameters ?? []).some(({ in: place }) => place === "query"),
  );
  it.each(lists)("of $operationId have examples that are accepted all together", async (operation) => {
    const { ws, ids } = await furnished();
    const parameters = (documented(operation.operationId).parameters ?? []).filter(
      ({ in: place }) => place === "query",
    );
    const pairs = parameters.map(({ name, schema }) => {
      expect(faults(schema, schema.example), name).toEqual([]);
      return `${name}=${encodeURIComponent([schema.example].flat().join())}`;
    });
    const answer = await ws.call("GET", `${pathOf(operation.path, ids)}?${pairs.join("&")}`);
    expect(answer.status, answer.text).toBe(200);
  });

  it("have the bounds of the service", async () => {
    const ws = await makeWorkspace();
    for (const path of ["links", "activity-groups"]) {
      for (const page of ["0", "9007199254740992", "9".repeat(30)]) {
        const answer = await ws.call("GET", `/api/v1/${path}?page=${page}`);
        expect([answer.status, Object.keys(answer.body.errors)], page).toEqual([422, ["page"]]);
      }
      expect((await ws.call("GET", `/api/v1/${path}?page=9007199254740991`)).status).toBe(200);
    }
    for (const list of ["listActivityGroups", "listLinks"]) {
      const page = documented(list).parameters?.find(({ name }) => name === "page")?.schema;
      expect(page).toMatchObject({ minimum: 1, maximum: 9_007_199_254_740_991 });
    }
  });
});

it("no description ends a comment of a generated client", () => {
  const found = JSON.stringify(document).match(/"description":"(?:[^"\\]|\\.)*"/g) ?? [];
  expect(found.length).toBeGreaterThan(200);
  expect(found.filter((description) => /\*\/|\\"\\"\\"|<details|\\\\/.test(description))).toEqual([]);
});

it("the schema comparison finds missing and undocumented properties and wrong types, at any depth", async () => {
  const { ws, ids } = await furnished();
  const schema = responseSchema(documented("getLink"), 200) ?? {};
  const { body } = await ws.call("GET", `/api/v1/links/${ids.link}`);
  const { title: _, ...untitled } = body;
  const [tag] = body.tags;
  const assignment = { ...body.activity_group.assignment, role: "secondary" };
  expect(faults(schema, body)).toEqual([]);
  for (const wrong of [
    untitled,
    { ...body, extra: null },
    { ...body, status: "deleted" },
    { ...body, created_at: "yesterday" },
    { ...body, id: "1" },
    { ...body, tags: [{ ...tag, workspace_id: 1 }] },
    { ...body, tags: [{ ...tag, colour: 1 }] },
    { ...body, activity_group: { ...body.activity_group, assignment } },
    { ...body, activity_group: null },
  ]) {
    expect(faults(schema, wrong)).toHaveLength(1);
  }
});

const ask = async (baseUrl: string) => {
  const env = { ...testEnv, BASE_URL: baseUrl };
  const answer = await send(new Request(`${baseUrl}/api/v1/openapi.json`), env);
  return { status: answer.status, type: answer.headers.get("content-type"), body: await answer.json() };
};

it("the public OpenAPI document is built once for each base URL", async () => {
  const made = vi.spyOn(api, "getOpenAPI31Document");
  const first = await ask("https://first.document.example");
  expect(await ask("https://first.document.example")).toEqual(first);
  expect(made).toHaveBeenCalledTimes(1);
  expect([first.status, first.type]).toEqual([200, "application/json"]);
  const other = await ask("https://second.document.example");
  expect(first.body).toMatchObject({ servers: [{ url: "https://first.document.example" }] });
  expect(other.body).toMatchObject({ servers: [{ url: "https://second.document.example" }] });
  made.mockRestore();
});

interface Described {
  description?: string;
}

interface DescribedResponse extends Described {
  headers?: Record<string, { $ref: string }>;
}

interface Whole {
  info: Described;
  tags: Described[];
  components: { headers: Record<string, Described & { required?: boolean }> };
}

const whole = document as unknown as Whole;
const HEADERS = whole.components.headers;

const responseOf = (operationId: string, status: number): DescribedResponse =>
  (documented(operationId).responses as Record<string, DescribedResponse>)[String(status)] ?? {};

const namesOf = (response: DescribedResponse): string[] => Object.keys(response.headers ?? {});

describe("the prose of the OpenAPI document", () => {
  it("describes the whole, every tag, and every header of a response", () => {
    for (const part of [whole.info, ...whole.tags, ...Object.values(HEADERS)])
      expect(part.description?.length).toBeGreaterThan(10);
  });

  it.each(operations)("describes $operationId and each of its parameters", ({ operationId }) => {
    const operation = documented(operationId) as ReturnType<typeof documented> & Described;
    expect(operation.description?.length).toBeGreaterThan(50);
    expect(operation.description).not.toContain("<details");
    for (const parameter of operation.parameters ?? [])
      expect((parameter as Described).description?.length, parameter.name).toBeGreaterThan(10);
  });

  it("has every code of `codes` with its meaning", () => {
    for (const [code, meaning] of Object.entries(FIELD_CODES))
      expect(whole.info.description).toContain(`| \`${code}\` | ${meaning} |`);
  });

  it("says what happens to a campaign, where a change of it is described", () => {
    const { description } = documented("updateLink") as Described;
    expect(description).toContain("| `utm_campaign: null` |");
    expect(description).toContain("| `activity_group_id: null` |");
  });
});

describe("the headers of the OpenAPI document", () => {
  it("are components, all of which are referred to", () => {
    const text = JSON.stringify(document);
    for (const name of Object.keys(HEADERS)) expect(text).toContain(`"#/components/headers/${name}"`);
    for (const { operationId } of operations) {
      for (const status of Object.keys(documented(operationId).responses)) {
        const { headers = {} } = responseOf(operationId, Number(status));
        for (const [name, { $ref }] of Object.entries(headers)) {
          expect($ref).toBe(`#/components/headers/${name}`);
          expect(HEADERS).toHaveProperty([name]);
        }
      }
    }
  });

  it.each(operations)("are those that $operationId sends", async (operation) => {
    const { operationId, path } = operation;
    const { ws, ids } = await furnished();
    const strict = { prefer: "handling=strict" };
    const key = operation.method === "POST" ? { "idempotency-key": "one" } : {};
    for (const headers of [
      { ...key, authorization: null },
      { ...key, ...strict, "if-match": '"x"' },
      { ...key, ...strict },
      key,
    ]) {
      const answer = await perform(ws, operation, ids, { headers });
      const names = namesOf(responseOf(operationId, answer.status));
      const sent = Object.keys(HEADERS).filter((name) => answer.headers.has(name));
      const title = `${path} ${answer.status}`;
      expect(names, title).toEqual(expect.arrayContaining(sent));
      expect(sent, title).toEqual(
        expect.arrayContaining(names.filter((name) => HEADERS[name]?.required === true)),
      );
    }
  });
});
