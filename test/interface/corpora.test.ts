import { env } from "cloudflare:test";
import { beforeAll, describe, expect, it } from "vitest";
import { createApiKey, revokeApiKey } from "../../src/access/keys";
import type { Link } from "../../src/resources/links/schema";
import linkBodiesText from "../corpora/bodies-create-link.json?raw";
import tagBodiesText from "../corpora/bodies-tags.json?raw";
import headersText from "../corpora/headers.json?raw";
import queriesText from "../corpora/queries.json?raw";
import { API, counted, makeWorkspace, send, type TestWorkspace } from "../harness";

const casesOf = <Case>(text: string): Case[] => (JSON.parse(text) as { cases: Case[] }).cases;

/** The cases with printable titles, since their content may not be printable. */
const titled = <Case>(text: string, title: (given: Case) => string) =>
  casesOf<Case>(text).map((given, index) => [`${index}, ${title(given)}`, given] as const);

const TABLES = [
  "links",
  "tags",
  "slugs",
  "activity_groups",
  "activity_group_items",
  "link_tags",
  "audit_log",
];
const COUNTS = TABLES.map((table) => `(select count(*) from ${table} where workspace_id = ?1)`).join(
  " || ' ' || ",
);

/** The number of rows of each kind in the workspace. */
const rowsOf = (ws: TestWorkspace) =>
  env.DB.prepare(`select ${COUNTS} as counts`).bind(ws.ctx.workspace.rowId).first<string>("counts");

/** Sends a case's request, and checks that a refusal changed nothing. */
async function checked(
  ws: TestWorkspace,
  method: string,
  path: string,
  request: Parameters<TestWorkspace["call"]>[2],
  expected: number | string,
) {
  const before = await rowsOf(ws);
  const answer = await ws.call(method, path, request);
  if (expected === "not-5xx") expect(answer.status).toBeLessThan(500);
  else expect(answer.status).toBe(expected);
  if (answer.status >= 400) expect(await rowsOf(ws)).toEqual(before);
  return answer;
}

interface Body {
  name: string;
  raw: string;
  expect: number | "not-5xx";
  headers?: Record<string, string | null>;
}

describe("bodies of a new link", () => {
  let ws: TestWorkspace;
  beforeAll(async () => {
    ws = await makeWorkspace();
  });

  it.each(titled<Body>(linkBodiesText, ({ name }) => name))("%s", async (_, given) => {
    const request = { raw: given.raw, headers: given.headers ?? {} };
    const answer = await checked(ws, "POST", "/api/v1/links", request, given.expect);
    if (answer.status !== 201) return;
    const { link } = answer.body;
    expect(link.destination_url).toBe("https://example.com/");
    expect(link.id).not.toBe("01J00000000000000000000000");
    expect((await ws.call("GET", `/api/v1/links/${link.id}`)).body).toEqual(link);
  });
});

describe("bodies of a new tag", () => {
  it.each(titled<Body>(tagBodiesText, ({ name }) => name))("%s", async (_, given) => {
    const ws = await makeWorkspace();
    const answer = await checked(ws, "POST", "/api/v1/tags", { raw: given.raw }, given.expect);
    if (answer.status !== 201) return;
    expect((await ws.call("GET", "/api/v1/tags")).body).toEqual({ tags: [answer.body.tag] });
    expect(answer.body.tag.slug).toMatch(/^[a-z0-9-]{1,120}$/);
  });
});

describe("queries", () => {
  let ws: TestWorkspace;
  let link: Link;
  beforeAll(async () => {
    ws = await makeWorkspace();
    link = await ws.link();
    await ws.group({ name: "100% of a%" });
  });

  it.each(titled<{ path: string; expect: number | "not-5xx" }>(queriesText, ({ path }) => path.slice(0, 90)))(
    "%s",
    async (_, given) => {
      const path = given.path.replace("{id}", link.id);
      const answer = await checked(ws, "GET", path, {}, given.expect);
      const parameter = /\?(\w+)/.exec(path)?.[1] ?? "";
      if (answer.status === 422) expect(Object.keys(answer.body.errors)).toEqual([parameter]);
      else expect(answer.body.activity_groups).toHaveLength(path.endsWith("q=%25") ? 1 : 0);
    },
  );
});

describe("headers", () => {
  interface HeaderCase {
    name: string;
    headers: Record<string, string>;
    url?: string;
    expect: number | string;
  }
  let ws: TestWorkspace;
  let shared: Link;
  let revoked: string;
  beforeAll(async () => {
    ws = await makeWorkspace();
    shared = await ws.link();
    const { id, key } = await createApiKey(ws.ctx, { name: "revoked" });
    await revokeApiKey(ws.ctx, id);
    revoked = key;
  });

  it.each(titled<HeaderCase>(headersText, ({ name }) => name))("%s", async (_, given) => {
    const flipped = `${ws.key.slice(0, -1)}${ws.key.endsWith("0") ? "1" : "0"}`;
    const filled = (text: string) =>
      text.replace("VALID~flip", flipped).replace("VALID", ws.key).replace("OTHER", revoked);
    const headers = Object.fromEntries(
      Object.entries(given.headers).map(([name, value]) => [name, filled(value)]),
    );
    const writes = "if-match" in headers || "idempotency-key" in headers;
    const link = writes ? await ws.link() : shared;
    const method = "if-match" in headers ? "PATCH" : writes ? "POST" : "GET";
    const path = given.url ?? (method === "POST" ? "/api/v1/links" : `/api/v1/links/${link.id}`);
    const before = await rowsOf(ws);

    let request: Request;
    try {
      request = new Request(API + filled(path), {
        method,
        headers: { ...headers, ...(writes ? { "content-type": "application/json" } : {}) },
        ...(writes ? { body: '{"destination_url":"https://www.example.com/new"}' } : {}),
      });
    } catch {
      // An invalid header cannot be sent.
      expect(given.expect).toBe("400 or 401");
      return;
    }
    const counter = counted();
    const response = await send(request, counter.env);
    const text = await response.text();
    const wanted = String(given.expect).match(/^\d{3}/)?.[0];
    const hasKey = Object.values(headers).includes(`Bearer ${ws.key}`);
    expect(response.status).toBe(wanted === undefined ? (hasKey ? 200 : 401) : Number(wanted));
    expect([...response.headers.keys()].filter((name) => name.startsWith("access-control-"))).toEqual([]);
    expect(response.headers.get("content-type")).toBe("application/json");
    if (response.status === 401) expect(counter.trips.d1).toBe(0);
    if (response.status >= 400) expect(await rowsOf(ws)).toEqual(before);
    if (response.status === 200 && method === "GET") expect(JSON.parse(text)).toEqual(link);
  });
});
