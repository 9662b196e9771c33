import { env } from "cloudflare:test";
import { expect, it } from "vitest";
import linkBodiesText from "../corpora/bodies-create-link.json?raw";
import tagBodiesText from "../corpora/bodies-tags.json?raw";
import queriesText from "../corpora/queries.json?raw";
import { makeWorkspace, type TestWorkspace } from "../harness";

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

/** Of tests that look only at what they make. */
const ws = await makeWorkspace();
const link = await ws.link();
await ws.group({ name: "100% of a%" });

it.each(titled<Body>(linkBodiesText, ({ name }) => name))("bodies of a new link: %s", async (_, given) => {
  const request = { raw: given.raw, headers: given.headers ?? {} };
  const answer = await checked(ws, "POST", "/api/v1/links", request, given.expect);
  if (answer.status !== 201) return;
  const { link } = answer.body;
  expect(link.destination_url).toBe("https://example.com/");
  expect(link.id).not.toBe("01J00000000000000000000000");
  expect((await ws.call("GET", `/api/v1/links/${link.id}`)).body).toEqual(link);
});

it.each(titled<Body>(tagBodiesText, ({ name }) => name))("bodies of a new tag: %s", async (_, given) => {
  const ws = await makeWorkspace();
  const answer = await checked(ws, "POST", "/api/v1/tags", { raw: given.raw }, given.expect);
  if (answer.status !== 201) return;
  expect((await ws.call("GET", "/api/v1/tags")).body).toEqual({ tags: [answer.body.tag] });
  expect(answer.body.tag.slug).toMatch(/^[a-z0-9-]{1,120}$/);
});

it.each(titled<{ path: string; expect: number | "not-5xx" }>(queriesText, ({ path }) => path.slice(0, 90)))(
  "queries: %s",
  async (_, given) => {
    const path = given.path.replace("{id}", link.id);
    const answer = await checked(ws, "GET", path, {}, given.expect);
    const parameter = /\?(\w+)/.exec(path)?.[1] ?? "";
    if (answer.status === 422) expect(Object.keys(answer.body.errors)).toEqual([parameter]);
    else expect(answer.body.activity_groups).toHaveLength(path.endsWith("q=%25") ? 1 : 0);
  },
);
