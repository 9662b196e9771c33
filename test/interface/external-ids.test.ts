import { describe, expect, it } from "vitest";
import type { Link } from "../../src/resources/links/link-schema";
import { makeWorkspace, type TestWorkspace, visit } from "../harness";
import { manyTags } from "../rows";
import { refusal } from "./refusals";

const LINKS = "/api/v1/links";
const TAKEN = refusal("external_id", "The external id has already been taken.");

const patch = (ws: TestWorkspace, link: Link, body: object) =>
  ws.call("PATCH", `${LINKS}/${link.id}`, { body });
const listed = async (ws: TestWorkspace, query: string): Promise<unknown[]> => {
  const { body, status, text } = await ws.call("GET", `${LINKS}?${query}`);
  expect(status, text).toBe(200);
  expect(body.meta.total).toBe(body.links.length);
  return body.links.map((link: Link) => link.external_id ?? link.slug);
};

describe("an external id", () => {
  it("is unique in its workspace, compared exactly, and free again after a deletion", async () => {
    const [ws, other] = [await makeWorkspace(), await makeWorkspace()];
    const link = await ws.link({ external_id: "a" });
    const destination_url = "https://www.example.com/";
    const again = { body: { destination_url, external_id: "a" } };
    expect(await ws.call("POST", LINKS, again)).toMatchObject({ status: 422, body: TAKEN });
    expect(await patch(ws, await ws.link(), { external_id: "a" })).toMatchObject({
      status: 422,
      body: TAKEN,
    });
    expect((await patch(ws, link, { external_id: "a", title: "own" })).status).toBe(200);
    expect((await ws.link({ external_id: "A" })).external_id).toBe("A");
    expect((await other.link({ external_id: "a" })).external_id).toBe("a");
    await ws.call("DELETE", `${LINKS}/${link.id}`);
    expect((await ws.call("POST", LINKS, again)).status).toBe(201);
  });

  it("is given to one of many links that ask for it at once", async () => {
    const ws = await makeWorkspace();
    const body = { destination_url: "https://www.example.com/", external_id: "once" };
    const answers = await Promise.all(Array.from({ length: 8 }, () => ws.call("POST", LINKS, { body })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(422)]);
  });
});

describe("the list of links by external id", () => {
  it("finds any of the given ids, and those that begin with a prefix", async () => {
    const [ws, other] = [await makeWorkspace(), await makeWorkspace()];
    const tag = await ws.tag();
    await other.link({ external_id: "site:a" });
    for (const [external_id, more] of [
      ["site:a", { title: "alpha" }],
      ["site:b", { tag_ids: [tag.id] }],
      ["site;", {}],
      ["Site:c", {}],
      ["site:\u{10ffff}z", {}],
    ] as const) {
      await ws.link({ external_id, ...more });
    }
    const archived = await ws.link({ external_id: "site:old" });
    await patch(ws, archived, { status: "archived" });
    await ws.link();

    const text = encodeURIComponent;
    expect(await listed(ws, "external_id=site:a")).toEqual(["site:a"]);
    expect(await listed(ws, "external_id=site:a&external_id[]=site;&external_id=none")).toEqual([
      "site;",
      "site:a",
    ]);
    expect(await listed(ws, "external_id=SITE:A")).toEqual([]);
    expect(await listed(ws, `external_id=site:a&external_id=site:b&tag=${tag.slug}`)).toEqual(["site:b"]);
    expect(await listed(ws, "external_id_prefix=site:")).toEqual(["site:\u{10ffff}z", "site:b", "site:a"]);
    expect(await listed(ws, "external_id_prefix=site:&status=archived")).toEqual(["site:old"]);
    expect(await listed(ws, "external_id_prefix=site:&status=all&sort=created_at")).toEqual([
      "site:a",
      "site:b",
      "site:\u{10ffff}z",
      "site:old",
    ]);
    expect(await listed(ws, `external_id_prefix=site:&tag=${tag.slug}`)).toEqual(["site:b"]);
    expect(await listed(ws, "external_id_prefix=site:&q=alpha")).toEqual(["site:a"]);
    expect(await listed(ws, "external_id_prefix=site:&q=al")).toEqual(["site:a"]);
    expect(await listed(ws, `external_id_prefix=${text("site:\u{10ffff}")}`)).toEqual(["site:\u{10ffff}z"]);
    expect(await listed(ws, "external_id_prefix=site:a&external_id=site:a")).toEqual(["site:a"]);
    expect(await listed(ws, "external_id_prefix=site:b&external_id=site:a")).toEqual([]);
    expect(await listed(ws, "external_id_prefix=none")).toEqual([]);
  });

  it("takes every filter at once, with as many values as each may have", async () => {
    const ws = await makeWorkspace();
    const tags = await manyTags(ws, 50);
    const link = await ws.link({ external_id: "p:a", title: "alpha", tag_ids: tags.map(({ id }) => id) });
    await ws.link({ external_id: "p:b", title: "alpha", tag_ids: tags.slice(1).map(({ id }) => id) });
    const all = tags.map(({ slug }) => `tag=${slug}`).join("&");
    for (const count of [1, 24, 100]) {
      const many = (name: string, own: string) =>
        Array.from({ length: count }, (_, at) => `${name}=${at === 0 ? own : `v${at}`}`).join("&");
      const [slugs, ids] = [many("slug", link.slug), many("external_id", "p:a")];
      const rest = "external_id_prefix=p:&q=alpha&status=all&sort=title";
      for (const query of [
        slugs,
        ids,
        `${slugs}&${ids}`,
        rest,
        `${slugs}&${rest}`,
        `${slugs}&${ids}&${rest}`,
      ]) {
        expect(await listed(ws, `${all}&${query}`)).toEqual(["p:a"]);
      }
    }
  });

  it("takes at most a hundred ids or slugs", async () => {
    const ws = await makeWorkspace();
    for (const name of ["slug", "external_id"]) {
      const query = (count: number) => Array.from({ length: count }, (_, at) => `${name}=v${at}`).join("&");
      expect(await listed(ws, query(100))).toEqual([]);
      const answer = await ws.call("GET", `${LINKS}?${query(101)}`);
      const message = `The ${name.replace("_", " ")} field must not have more than 100 items.`;
      expect(answer).toMatchObject({ status: 422, body: refusal(name, message) });
    }
  });
});

it("the list of links finds those that slugs open, each once, by current and old slugs", async () => {
  const [ws, other] = [await makeWorkspace(), await makeWorkspace()];
  const [old, slug] = [`old-${crypto.randomUUID()}`, `new-${crypto.randomUUID()}`];
  const link = await ws.link({ slug: old });
  const second = await ws.link();
  await patch(ws, link, { slug });
  expect(await listed(ws, `slug=${old}&slug=${slug}&slug=${second.slug.toUpperCase()}`)).toEqual([
    second.slug,
    slug,
  ]);
  expect(await listed(other, `slug=${old}&slug=${slug}`)).toEqual([]);
  await ws.call("DELETE", `${LINKS}/${link.id}`);
  expect(await listed(ws, `slug=${old}&slug=${slug}&status=all`)).toEqual([]);
  expect((await visit(`/${old}`)).status).toBe(404);
});
