import { describe, expect, it } from "vitest";
import { makeWorkspace, type TestWorkspace } from "../harness";

const TAGS = "/api/v1/tags";
const NOWHERE = "01JZ8Q4V6T3K9M2N5P7R8S0W1X";
const NOT_FOUND = { message: "Tag not found." };

const update = (ws: TestWorkspace, id: string, body: object) => ws.call("PATCH", `${TAGS}/${id}`, { body });

const listed = async (ws: TestWorkspace) => (await ws.call("GET", TAGS)).body.tags;

const FULL = { name: "Summer", slug: "summer", colour: "#f59e0b", description: "All of it" };

const LONGEST = {
  name: "n".repeat(100),
  slug: "s".repeat(120),
  colour: "c".repeat(32),
  description: "d".repeat(255),
};

describe("an updated tag", () => {
  it.each<[string, object, object]>([
    ["a name, which keeps the slug", { name: "Winter" }, { name: "Winter" }],
    ["a name that differs only in case", { name: "SUMMER" }, { name: "SUMMER" }],
    ["its own slug and name", { name: "Summer", slug: "summer" }, {}],
    ["an empty colour, which means null", { colour: " " }, { colour: null }],
    ["a description", { description: " new " }, { description: "new" }],
    ["everything, at its longest", LONGEST, LONGEST],
    ["null for what may be", { colour: null, description: null }, { colour: null, description: null }],
    ["nothing", {}, {}],
    ["only unknown fields", { id: NOWHERE, created_at: "now", version: 7 }, {}],
  ])("accepts %s", async (_, body, changed) => {
    const ws = await makeWorkspace();
    const tag = await ws.tag(FULL);
    const answer = await update(ws, tag.id, body);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ message: "Tag updated successfully.", tag: { ...tag, ...changed } });
    expect(answer.headers.get("etag")).toMatch(/^"[^"]+"$/);
    expect(await listed(ws)).toEqual([answer.body.tag]);
  });

  it("cannot take another tag's name or slug, gets both errors at once, and stays unchanged", async () => {
    const ws = await makeWorkspace();
    const [tag, other] = [await ws.tag(FULL), await ws.tag({ name: "Winter", slug: "cold" })];
    const answer = await update(ws, tag.id, { name: " WINTER", slug: "cold", colour: "blue" });
    expect(answer.status).toBe(422);
    expect(answer.body).toEqual({
      message: "The name has already been taken. (and 1 more error)",
      errors: { name: ["The name has already been taken."], slug: ["The slug has already been taken."] },
    });
    expect((await update(ws, tag.id, { slug: "cold" })).body.errors).toEqual({
      slug: ["The slug has already been taken."],
    });
    expect(await listed(ws)).toEqual([tag, other]);
  });

  it.each([
    ["null", null],
    ["an empty text", ""],
  ])("gets a new slug from its new or current name by %s", async (_, slug) => {
    const ws = await makeWorkspace();
    const tag = await ws.tag({ name: "Été", slug: "hand-made" });
    expect((await update(ws, tag.id, { slug })).body.tag.slug).toBe("ete");
    expect((await update(ws, tag.id, { slug })).body.tag.slug).toBe("ete");
    expect((await update(ws, tag.id, { slug, name: "Straße" })).body.tag.slug).toBe("strasse");
    await ws.tag({ name: "Sale" });
    expect((await update(ws, tag.id, { slug, name: "Sale!" })).body.tag.slug).toBe("sale-2");
    expect((await update(ws, tag.id, { slug })).body.tag.slug).toBe("sale-2");
    expect((await update(ws, tag.id, { slug, name: "日本" })).body.tag.slug).toMatch(/^tag-[a-z0-9]{8}$/);
  });

  it("shows on its links without changing their updated_at", async () => {
    const ws = await makeWorkspace();
    const tag = await ws.tag(FULL);
    const link = await ws.link({ tag_ids: [tag.id] });
    const { body } = await update(ws, tag.id, { name: "Winter", colour: null });
    expect((await ws.call("GET", `/api/v1/links/${link.id}`)).body).toEqual({ ...link, tags: [body.tag] });
  });

  it("gets a name that several tags want at once only once", async () => {
    const ws = await makeWorkspace();
    const tags = await Promise.all(Array.from({ length: 10 }, () => ws.tag()));
    const answers = await Promise.all(tags.map((tag) => update(ws, tag.id, { name: "Summer" })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(422)]);
    for (const { status, body } of answers) {
      if (status === 422) expect(body.errors).toEqual({ name: ["The name has already been taken."] });
    }
  });

  it("keeps both changes when two fields are changed at once", async () => {
    const ws = await makeWorkspace();
    const tag = await ws.tag(FULL);
    await Promise.all([
      update(ws, tag.id, { name: "Winter" }),
      update(ws, tag.id, { slug: "cold" }),
      update(ws, tag.id, { colour: "blue" }),
      update(ws, tag.id, { description: null }),
    ]);
    const changed = { name: "Winter", slug: "cold", colour: "blue", description: null };
    expect(await listed(ws)).toEqual([{ ...tag, ...changed }]);
  });
});

describe("a deleted tag", () => {
  it("is 204 without a body, disappears from the list and every link, and the links remain", async () => {
    const ws = await makeWorkspace();
    const [gone, kept] = [await ws.tag({ name: "a" }), await ws.tag({ name: "b" })];
    const active = await ws.link({ tag_ids: [gone.id, kept.id], title: "Active" });
    const archived = await ws.link({ tag_ids: [gone.id] });
    const { body } = await ws.call("PATCH", `/api/v1/links/${archived.id}`, { body: { status: "archived" } });

    const answer = await ws.call("DELETE", `${TAGS}/${gone.id.toLowerCase()}`);
    expect([answer.status, answer.text]).toEqual([204, ""]);
    expect(await listed(ws)).toEqual([kept]);
    expect((await ws.call("GET", "/api/v1/links?status=all&sort=created_at")).body.links).toEqual([
      { ...active, tags: [kept] },
      { ...body.link, tags: [] },
    ]);
  });

  it("is 404 from then on, like an unknown one", async () => {
    const ws = await makeWorkspace();
    const tag = await ws.tag();
    const link = await ws.link();
    expect((await ws.call("DELETE", `${TAGS}/${tag.id}`)).status).toBe(204);
    for (const id of [tag.id, NOWHERE, "no-ulid", tag.slug, link.id]) {
      const answer = await ws.call("DELETE", `${TAGS}/${id}`);
      expect([answer.status, answer.body], id).toEqual([404, NOT_FOUND]);
    }
  });

  it("is deleted once by many simultaneous requests", async () => {
    const ws = await makeWorkspace();
    const tag = await ws.tag();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => ws.call("DELETE", `${TAGS}/${tag.id}`)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404, 404]);
    expect(await listed(ws)).toEqual([]);
  });
});
