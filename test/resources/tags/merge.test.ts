import { describe, expect, it } from "vitest";
import { mergeTags } from "../../../src/resources/links/remove-tag";
import { stateOf } from "../../console/import-state";
import { makeWorkspace, type TestWorkspace } from "../../harness";
import { selectRows } from "../../sql";
import { usedTags } from "./used-tags";

const LINKS = "/api/v1/links";

const tagsOf = async (ws: TestWorkspace, link: string): Promise<string[]> =>
  (await ws.call("GET", `${LINKS}/${link}`)).body.tags.map(({ name }: { name: string }) => name);

const archive = (ws: TestWorkspace, link: string) =>
  ws.call("PATCH", `${LINKS}/${link}`, { body: { status: "archived" } });

/** A workspace with the tags Sale and Offers, to be merged into Offers. */
async function twoTags() {
  const ws = await makeWorkspace();
  const [sale, offers] = [await ws.tag({ name: "Sale" }), await ws.tag({ name: "Offers" })];
  return { ws, sale, offers };
}

describe("merging a tag into another", () => {
  it("replaces it on all links once, keeps their other tags, and deletes it", async () => {
    const { ws, sale, offers } = await twoTags();
    const third = await ws.tag({ name: "Third" });
    const only = await ws.link({ tag_ids: [sale.id, third.id] });
    const both = await ws.link({ tag_ids: [sale.id, offers.id] });
    const bothArchived = await ws.link({ tag_ids: [sale.id, offers.id] });
    const archived = await ws.link({ tag_ids: [sale.id] });
    const others = await ws.link({ tag_ids: [offers.id] });
    const none = await ws.link();
    for (const { id } of [archived, bothArchived]) await archive(ws, id);

    expect(await mergeTags(ws.ctx, sale.id.toLowerCase(), offers.id.toLowerCase())).toEqual(offers);

    expect(await tagsOf(ws, only.id)).toEqual(["Offers", "Third"]);
    for (const { id } of [both, bothArchived, archived, others]) {
      expect(await tagsOf(ws, id)).toEqual(["Offers"]);
    }
    expect(await tagsOf(ws, none.id)).toEqual([]);
    expect(await usedTags(ws)).toEqual([
      ["Offers", 3, 2],
      ["Third", 1, 0],
    ]);
    const listed = await ws.call("GET", `${LINKS}?tag=${offers.slug}&status=all`);
    expect(listed.body.meta.total).toBe(5);
    expect((await ws.call("DELETE", `/api/v1/tags/${sale.id}`)).status).toBe(404);
    expect(await stateOf(ws)).toEqual([]);
  });

  it("works on a link with the most tags allowed", async () => {
    const ws = await makeWorkspace();
    const tags = await Promise.all(
      Array.from({ length: 51 }, (_, index) => ws.tag({ name: `T${index + 10}` })),
    );
    const [first, ...rest] = tags;
    const link = await ws.link({ tag_ids: rest.map(({ id }) => id) });
    await mergeTags(ws.ctx, rest[0]?.id ?? "", first?.id ?? "");
    expect(await tagsOf(ws, link.id)).toHaveLength(50);
    expect(await stateOf(ws)).toEqual([]);
  });

  it("changes the ETag but not the time of its links, like attaching", async () => {
    const { ws, sale, offers } = await twoTags();
    const link = await ws.link({ tag_ids: [sale.id] });
    const before = await ws.call("GET", `${LINKS}/${link.id}`);
    await mergeTags(ws.ctx, sale.id, offers.id);
    const after = await ws.call("GET", `${LINKS}/${link.id}`);
    expect(after.headers.get("etag")).not.toBe(before.headers.get("etag"));
    expect(after.body).toEqual({ ...before.body, tags: [offers] });
  });

  it("is in the audit log with every link and its previous tags", async () => {
    const { ws, sale, offers } = await twoTags();
    const link = await ws.link({ tag_ids: [sale.id] });
    await ws.link({ tag_ids: [offers.id] });
    await mergeTags({ ...ws.ctx, actor: "member:ada@people.example" }, sale.id, offers.id);
    const results = await selectRows<Record<string, string>>`select actor, action, subject, before, change
      from audit_log where workspace_id = ${ws} and action like '%merge%' order by id`;
    const read = results.map((row) => ({
      ...row,
      before: JSON.parse(row["before"] ?? ""),
      change: JSON.parse(row["change"] ?? ""),
    }));
    expect(read).toEqual([
      {
        actor: "member:ada@people.example",
        action: "tag.merge",
        subject: sale.id,
        before: { name: "Sale", slug: "sale", colour: null, description: null },
        change: { into: offers.id },
      },
      {
        actor: "member:ada@people.example",
        action: "link.merge_tag",
        subject: link.id,
        before: { tag_ids: [sale.id] },
        change: { tag_id: sale.id, into: offers.id },
      },
    ]);
  });

  it("is refused with the same tag and another workspace's tag", async () => {
    const { ws, sale } = await twoTags();
    const foreign = await (await makeWorkspace()).tag();
    const into = (id: string) => mergeTags(ws.ctx, sale.id, id);
    await expect(into(sale.id)).rejects.toMatchObject({
      status: 422,
      body: { errors: { into: ["A tag cannot be merged into itself."] } },
    });
    await expect(into(foreign.id)).rejects.toMatchObject({ status: 422 });
    await expect(mergeTags(ws.ctx, foreign.id, sale.id)).rejects.toMatchObject({
      status: 404,
      body: { message: "Tag not found." },
    });
    expect((await usedTags(ws)).length).toBe(2);
  });

  it("happens once if two requests merge at once, in either direction", async () => {
    const { ws, sale, offers } = await twoTags();
    const link = await ws.link({ tag_ids: [sale.id, offers.id] });
    const outcomes = await Promise.allSettled([
      mergeTags(ws.ctx, sale.id, offers.id),
      mergeTags(ws.ctx, offers.id, sale.id),
      mergeTags(ws.ctx, sale.id, offers.id),
    ]);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await tagsOf(ws, link.id)).toHaveLength(1);
    expect(await stateOf(ws)).toEqual([]);
  });
});
