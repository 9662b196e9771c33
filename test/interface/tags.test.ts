import { describe, expect, it } from "vitest";
import type { Tag } from "../../src/resources/tags/tag-schema";
import { makeWorkspace, type TestWorkspace } from "../harness";
import { manyTags } from "../rows";
import { UNKNOWN } from "./operations";
import { refusal, SLUG_TAKEN } from "./refusals";

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
const TAGS = "/api/v1/tags";
const NAME_TAKEN = refusal("name", "The name has already been taken.");
const LIMIT_REACHED = refusal("tag_limit", "The workspace has reached its limit of 1,000 tags.");

const listed = async (ws: TestWorkspace): Promise<Tag[]> => (await ws.call("GET", TAGS)).body.tags;

const create = (ws: TestWorkspace, body: object) => ws.call("POST", TAGS, { body });
const update = (ws: TestWorkspace, id: string, body: object) => ws.call("PATCH", `${TAGS}/${id}`, { body });

const FULL = { name: "Summer", slug: "summer", colour: "#f59e0b", description: "All of it" };

const LONGEST = {
  name: "n".repeat(100),
  slug: "s".repeat(120),
  colour: "c".repeat(32),
  description: "d".repeat(255),
};

describe("a new tag", () => {
  it("needs only a name: the slug is derived, colour and description are null", async () => {
    const ws = await makeWorkspace();
    const answer = await create(ws, { name: "Summer Sale" });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      message: "Tag created successfully.",
      tag: {
        id: expect.stringMatching(ULID),
        name: "Summer Sale",
        slug: "summer-sale",
        colour: null,
        description: null,
      },
    });
    expect(Object.keys(answer.body.tag)).toEqual(["id", "name", "slug", "colour", "description"]);
    expect(answer.headers.get("etag")).toMatch(/^"[^"]+"$/);
    expect((await ws.call("GET", TAGS)).body).toEqual({ tags: [answer.body.tag] });
  });

  it("keeps every given field trimmed, and ignores empty and unknown ones", async () => {
    const ws = await makeWorkspace();
    const { body } = await create(ws, {
      id: "01JZ8Q4V6T3K9M2N5P7R8S0W1X",
      name: "\u00a0 Print \t",
      slug: " on-paper ",
      colour: " #f59e0b ",
      description: "",
      workspace_id: 1,
    });
    expect(body.tag).toEqual({
      id: expect.stringMatching(ULID),
      name: "Print",
      slug: "on-paper",
      colour: "#f59e0b",
      description: null,
    });
    expect(body.tag.id).not.toBe("01JZ8Q4V6T3K9M2N5P7R8S0W1X");
    expect(await listed(ws)).toEqual([body.tag]);
  });

  const LOWER = "The slug field must only contain lowercase letters, digits and hyphens.";

  const tooLong = (field: string, most: number) =>
    `The ${field} field must not be greater than ${most} characters.`;

  it.each<[string, unknown, string]>([
    ["name", null, "The name field is required."],
    ["name", 7, "The name field must be a string."],
    ["name", "n".repeat(101), tooLong("name", 100)],
    ["slug", "Sale", LOWER],
    ["colour", "c".repeat(33), tooLong("colour", 32)],
    ["description", "d".repeat(256), tooLong("description", 255)],
    ["colour", "a\u0000b", "The colour field must not contain control characters."],
    ["name", "\ud800", "The name field must be well-formed Unicode text."],
  ])("cannot have another %s, on creation and update, case %#", async (field, value, message) => {
    const ws = await makeWorkspace();
    const tag = await ws.tag();
    for (const answer of [
      await create(ws, { name: "x", [field]: value }),
      await ws.call("PATCH", `${TAGS}/${tag.id}`, { body: { [field]: value } }),
    ]) {
      expect([answer.status, answer.body]).toEqual([422, refusal(field, message)]);
    }
    expect(await listed(ws)).toEqual([tag]);
  });
});

describe("names and slugs are unique in the workspace", () => {
  it.each([
    ["Summer", "Summer"],
    ["Summer", "  sUMMER "],
    ["Été", "ÉTÉ"],
    ["ΟΔΥΣΣΕΎΣ", "οδυσσεύσ"],
  ])("%s conflicts with %s", async (first, second) => {
    const ws = await makeWorkspace();
    const tag = await ws.tag({ name: first });
    const answer = await create(ws, { name: second, slug: "another" });
    expect([answer.status, answer.body]).toEqual([422, NAME_TAKEN]);
    expect(await listed(ws)).toEqual([tag]);
  });

  it("another workspace can use them, and this one again after the tag is deleted", async () => {
    const [ws, other] = [await makeWorkspace(), await makeWorkspace()];
    const fields = { name: "Summer", slug: "sale" };
    const tag = await ws.tag(fields);
    expect(await other.tag(fields)).toMatchObject(fields);
    await ws.call("DELETE", `${TAGS}/${tag.id}`);
    const again = await ws.tag(fields);
    expect(again).toEqual({ ...tag, id: again.id });
    expect(again.id).not.toBe(tag.id);
  });

  it.each<[string, (at: number) => object, object]>([
    ["name", () => ({ name: "Summer" }), NAME_TAKEN],
    ["slug", (at) => ({ name: `Name ${at}`, slug: "sale" }), SLUG_TAKEN],
  ])(
    "one of sixteen simultaneous creations of one %s succeeds, and the others are refused on it",
    async (_, fields, refused) => {
      const ws = await makeWorkspace();
      const answers = await Promise.all(Array.from({ length: 16 }, (_, at) => create(ws, fields(at))));
      const created = answers.filter(({ status }) => status === 201);
      expect(created).toHaveLength(1);
      for (const answer of answers.filter((one) => one !== created[0])) {
        expect([answer.status, answer.body]).toEqual([422, refused]);
      }
      expect(await listed(ws)).toEqual([created[0]?.body.tag]);
    },
  );
});

describe("a slug derived from the name", () => {
  it("gets -2, -3 … on a clash, and skips taken numbers", async () => {
    const ws = await makeWorkspace();
    await ws.tag({ name: "Something else", slug: "sale-3" });
    const slugs = [];
    for (const name of ["Sale", "Sale!", "Sale?", "Sale."]) slugs.push((await ws.tag({ name })).slug);
    expect(slugs).toEqual(["sale", "sale-2", "sale-4", "sale-5"]);
  });

  it("of a name without usable characters is tag- and eight random characters", async () => {
    const [one, two] = [await makeWorkspace(), await makeWorkspace()];
    const slugs = [(await one.tag({ name: "日本語" })).slug, (await two.tag({ name: "日本語" })).slug];
    for (const slug of slugs) expect(slug).toMatch(/^tag-[a-z0-9]{8}$/);
    expect(slugs[0]).not.toBe(slugs[1]);
  });

  it("is numbered if sixteen names with the same slug are created at once", async () => {
    const ws = await makeWorkspace();
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, at) => create(ws, { name: `Sale ${"!".repeat(at)}` })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(16).fill(201));
    const wanted = ["sale", ...Array.from({ length: 15 }, (_, at) => `sale-${at + 2}`)];
    expect((await listed(ws)).map(({ slug }) => slug).sort()).toEqual(wanted.sort());
  });
});

describe("the list of tags", () => {
  it("is sorted by name, without regard to case", async () => {
    const ws = await makeWorkspace();
    for (const name of ["delta", "Bravo", "alpha", "Charlie", "10", "ECHO"]) await ws.tag({ name });
    const names = (await listed(ws)).map(({ name }) => name);
    expect(names).toEqual(["10", "alpha", "Bravo", "Charlie", "delta", "ECHO"]);
  });

  it("is empty in a new workspace and ignores unknown parameters", async () => {
    const ws = await makeWorkspace();
    expect((await ws.call("GET", `${TAGS}?page=0&per_page=x&q=%00`)).body).toEqual({ tags: [] });
  });
});

describe("at most 1,000 tags in a workspace", () => {
  it("the thousandth is created, also when several ask for it at once, and deleting one makes room", async () => {
    const ws = await makeWorkspace();
    await manyTags(ws, 998);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) => create(ws, { name: `Late ${at}` })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, ...Array(6).fill(422)]);
    for (const { status, body } of answers) if (status === 422) expect(body).toEqual(LIMIT_REACHED);
    const tags = await listed(ws);
    expect(tags).toHaveLength(1000);

    expect((await ws.call("DELETE", `${TAGS}/${tags[0]?.id}`)).status).toBe(204);
    expect((await create(ws, { name: "After all" })).status).toBe(201);
    expect((await create(ws, { name: "One too many" })).body).toEqual(LIMIT_REACHED);
  });

  it("a refused creation does not count, and the limit is reported together with a taken name", async () => {
    const ws = await makeWorkspace();
    await manyTags(ws, 999);
    expect((await create(ws, { name: "TAG 07" })).body).toEqual(NAME_TAKEN);
    expect((await create(ws, { name: "The last" })).status).toBe(201);
    expect((await create(ws, { name: "tag 07", slug: "tag-08" })).body).toEqual({
      message: "The name has already been taken. (and 2 more errors)",
      errors: { ...NAME_TAKEN.errors, ...SLUG_TAKEN.errors, ...LIMIT_REACHED.errors },
    });
    const [tag] = await listed(ws);
    expect((await ws.call("PATCH", `${TAGS}/${tag?.id}`, { body: { colour: "red" } })).status).toBe(200);
  });
});

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
    ["only unknown fields", { id: UNKNOWN.tag, created_at: "now", version: 7 }, {}],
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
      errors: { ...NAME_TAKEN.errors, ...SLUG_TAKEN.errors },
    });
    expect((await update(ws, tag.id, { slug: "cold" })).body).toEqual(SLUG_TAKEN);
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
      if (status === 422) expect(body).toEqual(NAME_TAKEN);
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
    for (const id of [tag.id, UNKNOWN.tag, "no-ulid", tag.slug, link.id]) {
      const answer = await ws.call("DELETE", `${TAGS}/${id}`);
      expect([answer.status, answer.body], id).toEqual([404, { message: "Tag not found." }]);
    }
  });
});
