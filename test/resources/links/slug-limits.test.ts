import { describe, expect, it } from "vitest";
import { LostRace } from "../../../src/errors";
import { slugLimit } from "../../../src/lib/slug-text";
import { checkFile } from "../../../src/resources/imports/check-file";
import { continueImport } from "../../../src/resources/imports/continue-import";
import { getImport } from "../../../src/resources/imports/import-service";
import { importLinks } from "../../../src/resources/links/import-links";
import type { Link } from "../../../src/resources/links/link-schema";
import { ensureRoom } from "../../../src/resources/links/write/link-guards";
import { makeWorkspace, type TestWorkspace } from "../../harness";
import { fillSlugs } from "../../redirect/slugs/fill";
import { runSql, selectRows, selectValue } from "../../sql";

const TOO_MANY = { slug: ["The link may not have more than 100 slugs."] };
const REACHED = { slug_limit: ["The workspace has reached its limit of 1,000 slugs."] };
const name = () => `s-${crypto.randomUUID().slice(0, 13)}`;
const destination_url = "https://www.example.com/";

const create = (ws: TestWorkspace, body: object = {}) =>
  ws.call("POST", "/api/v1/links", { body: { destination_url, ...body } });
const rename = (ws: TestWorkspace, link: Pick<Link, "id">, slug: string) =>
  ws.call("PATCH", `/api/v1/links/${link.id}`, { body: { slug } });

/** Creates a link with this number of slugs. */
async function linkWithSlugs(ws: TestWorkspace, slugs: number) {
  const old = Array.from({ length: slugs - 1 }, name);
  const slug = name();
  const made = await importLinks(ws.ctx, name(), [
    { number: 1, input: { destination_url, slug }, old_slugs: old },
  ]);
  expect(made).toMatchObject({ created: 1, refused: [] });
  const found = await ws.call("GET", `/api/v1/links?slug=${slug}`);
  return { link: found.body.links[0] as Link, old };
}

const slugsOf = (link: Pick<Link, "id">) =>
  selectValue<number>`select count(*) as n from slugs where link_id = (select id from links
    where public_id = ${link.id})`;

const countsOf = async (ws: TestWorkspace) =>
  (
    await selectRows`select slug_claims as kept,
      (select count(*) from slugs where workspace_id = workspaces.id) as counted from workspaces where id = ${ws}`
  )[0];

const errorsOf = (answers: readonly { status: number; body: { errors?: unknown } }[]) =>
  answers.filter(({ status }) => status >= 300).map(({ body }) => body.errors);

describe("the slugs of a link", () => {
  it("can be reused by the link itself, in upper or lower case", async () => {
    const ws = await makeWorkspace();
    const { link, old } = await linkWithSlugs(ws, 100);
    expect((await rename(ws, link, name())).body.errors).toEqual(TOO_MANY);
    for (const slug of [old[3] ?? "", old[98]?.toUpperCase() ?? "", link.slug]) {
      expect((await rename(ws, link, slug)).status).toBe(200);
    }
    expect(await slugsOf(link)).toBe(100);
  });

  it("are at most a hundred under concurrent renames", async () => {
    const ws = await makeWorkspace();
    const { link } = await linkWithSlugs(ws, 98);
    const answers = await Promise.all(Array.from({ length: 10 }, () => rename(ws, link, name())));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
    expect(errorsOf(answers)).toEqual(Array(8).fill(TOO_MANY));
    expect(await slugsOf(link)).toBe(100);
    expect(await countsOf(ws)).toEqual({ kept: 100, counted: 100 });
  });

  it("are at most a hundred in an import", async () => {
    const ws = await makeWorkspace();
    const list = (length: number) => Array.from({ length }, name).join(" ");
    const rows = [`${destination_url},${name()},${list(99)}`, `${destination_url},,${list(100)}`];
    const bytes = new TextEncoder().encode(["destination_url,slug,old_slugs", ...rows].join("\n"));
    const checked = await checkFile(ws.ctx, { name: "links.csv", bytes });
    expect(checked).toMatchObject({ rows: 2, refused: 1 });
    if (!("id" in checked)) throw new Error("imported already");
    await continueImport(ws.ctx, checked.id ?? "");
    expect(await getImport(ws.ctx, checked.id ?? "", { show: "all", page: 1 })).toMatchObject({
      made: 1,
      refused: 1,
    });
    expect(await countsOf(ws)).toEqual({ kept: 100, counted: 100 });
  });
});

describe("the slugs that a workspace claims", () => {
  it.each([
    [null, 1_000_000],
    [101, 1_010],
    [100_000, 1_000_000],
    [100_000_000, 1_000_000],
  ])("with a limit of %s links are at most %s, in the code and in the database", async (links, slugs) => {
    expect(slugLimit(links)).toBe(slugs);
    const ws = await makeWorkspace(links === null ? {} : { linkLimit: links });
    const { rowId } = ws.ctx.workspace;
    const claimOneMore = async (claims: number) => {
      await runSql`update workspaces set slug_claims = ${claims} where id = ${rowId}`;
      const guards = [ensureRoom(rowId, 0, 1)];
      return ws.ctx.db.write(
        { workspaceId: rowId, actor: "a", action: "link.update", subject: "", at: 0, guards },
        [],
      );
    };
    await claimOneMore(slugs - 1);
    await expect(claimOneMore(slugs)).rejects.toBeInstanceOf(LostRace);
  });

  it("are counted once each, by creation, rename, reuse and import", async () => {
    const ws = await makeWorkspace();
    const slug = name();
    for (let turn = 0; turn < 3; turn++) {
      const link = await ws.link({ slug });
      await ws.call("DELETE", `/api/v1/links/${link.id}`);
    }
    expect(await countsOf(ws)).toEqual({ kept: 1, counted: 1 });
    const link = await ws.link({ slug });
    const other = name();
    for (const to of [other, slug, other]) await rename(ws, link, to);
    expect(await countsOf(ws)).toEqual({ kept: 2, counted: 2 });
    await ws.link();
    await ws.call("DELETE", `/api/v1/links/${link.id}`);
    await importLinks(ws.ctx, name(), [
      { number: 1, input: { destination_url, slug }, old_slugs: [name(), other] },
      { number: 2, input: { destination_url } },
    ]);
    expect(await countsOf(ws)).toEqual({ kept: 5, counted: 5 });
  });

  it("are limited: creation and rename add no slug at the limit, but can reuse own slugs", async () => {
    const ws = await makeWorkspace({ linkLimit: 4 });
    const gone = await ws.link({ slug: name() });
    await ws.call("DELETE", `/api/v1/links/${gone.id}`);
    const link = await ws.link();
    const old = link.slug;
    await rename(ws, link, name());
    await fillSlugs(ws, 999);
    expect((await create(ws)).status).toBe(201);
    for (const refused of [
      await create(ws),
      await create(ws, { slug: name() }),
      await rename(ws, link, name()),
    ]) {
      expect([refused.status, refused.body.errors]).toEqual([422, REACHED]);
    }
    expect((await rename(ws, link, old)).status).toBe(200);
    expect((await create(ws, { slug: gone.slug })).status).toBe(201);
    const tombstone = await selectValue<string>`select key from slugs
      where workspace_id = ${ws} and link_id is null and key like '%-1'`;
    expect((await rename(ws, link, tombstone ?? "")).status).toBe(200);
    expect((await create(ws, { slug: old })).body.errors).toEqual({
      slug: ["The slug has already been taken."],
    });
    expect((await create(ws, { slug: `${tombstone?.slice(0, -1)}2` })).status).toBe(201);
    const both = await create(ws);
    expect(Object.keys(both.body.errors)).toEqual(["link_limit", "slug_limit"]);
    expect(await countsOf(ws)).toEqual({ kept: 1_000, counted: 1_000 });
  });

  it("are limited under concurrent creation, and in a loop of creating and deleting", async () => {
    const ws = await makeWorkspace({ linkLimit: 100 });
    await fillSlugs(ws, 993);
    for (let turn = 0; turn < 3; turn++) {
      const { body } = await create(ws);
      await ws.call("DELETE", `/api/v1/links/${body.link.id}`);
    }
    const answers = await Promise.all(Array.from({ length: 12 }, () => create(ws)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(4);
    expect(errorsOf(answers)).toEqual(Array(8).fill(REACHED));
    expect(await countsOf(ws)).toEqual({ kept: 1_000, counted: 1_000 });
  });

  it("are limited for the rows of an import, including rows checked before the limit was reached", async () => {
    const ws = await makeWorkspace({ linkLimit: 100 });
    await fillSlugs(ws, 990);
    const list = (length: number) => Array.from({ length }, name).join(" ");
    const rows = [`,${list(5)}`, `${name()},${list(3)}`, ","].map((row) => `${destination_url},${row}`);
    const bytes = new TextEncoder().encode(["destination_url,slug,old_slugs", ...rows].join("\n"));
    const checked = await checkFile(ws.ctx, { name: "links.csv", bytes });
    expect(checked).toMatchObject({ rows: 3, refused: 1 });
    if (!("id" in checked)) throw new Error("imported already");
    await create(ws);
    await continueImport(ws.ctx, checked.id ?? "");
    expect(await getImport(ws.ctx, checked.id ?? "", { show: "all", page: 1 })).toMatchObject({
      made: 1,
      refused: 2,
    });
    expect(await countsOf(ws)).toEqual({ kept: 997, counted: 997 });
    const lines = await importLinks(
      ws.ctx,
      name(),
      [1, 2, 3, 4].map((number) => ({ number, input: { destination_url } })),
    );
    expect([lines.created, lines.refused]).toEqual([
      3,
      [{ number: 4, errors: [{ field: "slug_limit", message: REACHED.slug_limit[0] }] }],
    ]);
  });

  it("all keep working if the limit is lowered below their number", async () => {
    const ws = await makeWorkspace({ linkLimit: 500 });
    const [link, gone] = [await ws.link(), await ws.link()];
    await ws.call("DELETE", `/api/v1/links/${gone.id}`);
    await fillSlugs(ws, 2_000);
    await runSql`update workspaces set link_limit = 1 where slug = ${ws.slug}`;
    const patched = await ws.call("PATCH", `/api/v1/links/${link.id}`, {
      body: { title: "Edited", slug: link.slug },
    });
    expect(patched.status).toBe(200);
    expect((await rename(ws, link, gone.slug)).status).toBe(200);
    expect((await rename(ws, link, link.slug)).status).toBe(200);
    expect((await rename(ws, link, name())).body.errors).toEqual(REACHED);
    expect((await ws.call("DELETE", `/api/v1/links/${link.id}`)).status).toBe(204);
    expect((await create(ws, { slug: link.slug })).status).toBe(201);
  });
});
