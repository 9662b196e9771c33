import { describe, expect, it } from "vitest";
import type { Context } from "../../src/context";
import { createLink } from "../../src/resources/links/create-link";
import { makeWorkspace, SHORT, type TestWorkspace, visit } from "../harness";
import { SLUG_TAKEN } from "./refusals";

/** Of tests that look only at what they make. */
const ws = await makeWorkspace();

const LINKS = "/api/v1/links";
const DESTINATION = "https://www.example.com/";
const GENERATED = /^[abcdefghjkmnpqrstuvwxyz23456789]{7}$/;

const unique = () => `s-${crypto.randomUUID()}`;
const where = async (slug: string) => (await visit(`/${slug}`)).headers.get("location");
const create = (ws: TestWorkspace, slug: string) =>
  ws.call("POST", LINKS, { body: { destination_url: DESTINATION, slug } });
const rename = (ws: TestWorkspace, id: string, slug: string) =>
  ws.call("PATCH", `${LINKS}/${id}`, { body: { slug } });

describe("the text of a slug", () => {
  it("is refused with an invalid character, start or length, or if it is reserved", async () => {
    const ws = await makeWorkspace();
    const link = await ws.link();
    for (const value of ["-a", "_a", "a.b", "é", `a${"b".repeat(64)}`, "HEALTH", "Cdn-Cgi"]) {
      const created = await create(ws, value);
      expect([created.status, Object.keys(created.body.errors)], value).toEqual([422, ["slug"]]);
      expect((await rename(ws, link.id, value)).body, value).toEqual(created.body);
    }
    expect((await ws.call("GET", LINKS)).body.links).toEqual([link]);
  });

  it("is accepted with 64 letters, digits, hyphens and underscores, trimmed", async () => {
    const longest = unique().padEnd(64, "_");
    expect((await ws.link({ slug: ` ${longest} ` })).slug).toBe(longest);
    expect((await create(ws, `${longest}_`)).body.errors.slug).toEqual([
      "The slug field must not be greater than 64 characters.",
    ]);
  });

  it("is kept as written and matched without regard to case", async () => {
    const slug = `Mixed-${unique()}`;
    const link = await ws.link({ slug });
    expect(link).toMatchObject({ slug, short_url: `${SHORT}/${slug}` });
    for (const spelling of [slug, slug.toLowerCase(), slug.toUpperCase()]) {
      expect(await where(spelling)).toBe(DESTINATION);
      expect((await create(ws, spelling)).body).toEqual(SLUG_TAKEN);
    }
    const respelt = await rename(ws, link.id, slug.toUpperCase());
    expect(respelt.body.link).toMatchObject({
      slug: slug.toUpperCase(),
      short_url: `${SHORT}/${slug.toUpperCase()}`,
    });
    expect(await where(slug)).toBe(DESTINATION);
  });
});

it("a generated slug is drawn again on a clash with an own link, another workspace's link or an old slug", async () => {
  const [ws, other] = [await makeWorkspace(), await makeWorkspace()];
  const alphabet = "abcdefghjkmnpqrstuvwxyz23456789";
  const bytesOf = (slug: string) => Uint8Array.from(slug, (letter) => alphabet.indexOf(letter));
  const [own, foreign, renamed] = [await ws.link(), await other.link(), await ws.link()];
  await rename(ws, renamed.id, unique());
  const drawn = [own.slug, foreign.slug, renamed.slug].map(bytesOf);
  const ctx: Context = { ...ws.ctx, random: (bytes) => drawn.shift() ?? ws.ctx.random(bytes) };

  const link = await createLink(ctx, { destination_url: DESTINATION });
  expect(drawn).toEqual([]);
  expect(link.slug).toMatch(GENERATED);
  expect([own.slug, foreign.slug, renamed.slug]).not.toContain(link.slug);
  expect(await where(link.slug)).toBe(DESTINATION);
});

describe("the owner of a slug", () => {
  it("is the workspace that first used it, even after a rename or deletion", async () => {
    const [ws, other] = [await makeWorkspace(), await makeWorkspace()];
    const [first, second] = [unique(), unique()];
    const link = await ws.link({ slug: first });
    const foreign = await other.link();
    const generated = (await ws.link()).slug;
    const refusesOther = async (...slugs: string[]) => {
      for (const slug of slugs) {
        expect((await create(other, slug)).body).toEqual(SLUG_TAKEN);
        expect((await rename(other, foreign.id, slug.toUpperCase())).body).toEqual(SLUG_TAKEN);
      }
    };
    await refusesOther(first, generated);
    await rename(ws, link.id, second);
    await refusesOther(first, second);
    await ws.call("DELETE", `${LINKS}/${link.id}`);
    await refusesOther(first, second);
    expect((await other.call("GET", LINKS)).body.links).toEqual([foreign]);
  });

  it("does not exist if the creation or rename was refused for another reason", async () => {
    const [full, other] = [await makeWorkspace({ linkLimit: 1 }), await makeWorkspace()];
    const link = await full.link();
    const [created, renamed] = [unique(), unique()];
    expect((await create(full, created)).status).toBe(422);
    const body = { slug: renamed, activity_group_id: "no-such-group" };
    expect((await full.call("PATCH", `${LINKS}/${link.id}`, { body })).status).toBe(422);
    for (const slug of [created, renamed]) expect((await create(other, slug)).status).toBe(201);
  });
});

describe("a renamed link", () => {
  it("redirects from its new slug at once and from all its old ones, to which it can return", async () => {
    const slugs = [unique(), unique(), unique(), unique()];
    const link = await ws.link({ slug: slugs[0] });
    await visit(`/${slugs[0]}`);
    for (const slug of [...slugs.slice(1), ...slugs.slice(0, 1)]) {
      const answer = await rename(ws, link.id, slug);
      expect(answer.status, answer.text).toBe(200);
      expect(answer.body.link).toEqual({
        ...link,
        slug,
        short_url: `${SHORT}/${slug}`,
        updated_at: expect.any(String),
      });
    }
    for (const slug of slugs) expect(await where(slug)).toBe(DESTINATION);
    await ws.call("PATCH", `${LINKS}/${link.id}`, { body: { destination_url: "https://new.example/" } });
    for (const slug of slugs) expect(await where(slug)).toBe("https://new.example/");
  });

  it("that is deleted frees all its slugs for its own workspace, and each works for a new link at once", async () => {
    const slugs = [unique(), unique(), unique()];
    const link = await ws.link({ slug: slugs[0] });
    for (const slug of slugs.slice(1)) await rename(ws, link.id, slug);
    for (const slug of slugs) await visit(`/${slug}`);
    await ws.call("DELETE", `${LINKS}/${link.id}`);
    for (const slug of slugs) expect((await visit(`/${slug}`)).status).toBe(404);

    const next = await ws.link({ slug: slugs[0], destination_url: "https://next.example/" });
    expect((await rename(ws, next.id, slugs[1] ?? "")).status).toBe(200);
    const last = await ws.link({ slug: slugs[2]?.toUpperCase(), destination_url: "https://last.example/" });
    expect(await Promise.all(slugs.map(where))).toEqual([
      "https://next.example/",
      "https://next.example/",
      "https://last.example/",
    ]);
    expect((await rename(ws, last.id, slugs[0] ?? "")).body).toEqual(SLUG_TAKEN);
  });
});
