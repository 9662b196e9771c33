import { env } from "cloudflare:test";
import { expect, it } from "vitest";
import { recountWorkspaces } from "../../src/doctor/service";
import { createAsset, getAsset } from "../../src/engagement/service";
import { makeWorkspace, visit } from "../harness";

it("codes that open another link than their asset's are found, and open it again", async () => {
  const ws = await makeWorkspace();
  const link = await ws.link({ destination_url: "https://www.example.com/own" });
  const other = await ws.link({ destination_url: "https://www.example.com/other" });
  const gone = await ws.link();
  const wrong = await createAsset(ws.ctx, { name: "Wrong", link: link.id });
  const closed = await createAsset(ws.ctx, { name: "Closed", link: link.id });
  const right = await createAsset(ws.ctx, { name: "Right", link: link.id });
  const open = await createAsset(ws.ctx, { name: "Open", link: gone.id });
  const without = await createAsset(ws.ctx, { name: "Without", link: link.id });
  await ws.call("DELETE", `/api/v1/links/${gone.id}`);
  const point = (asset: string, to: string | null) =>
    env.DB.prepare("update slugs set link_id = (select id from links where public_id = ?) where asset = ?")
      .bind(to, asset)
      .run();
  await point(wrong.id, other.id);
  await point(closed.id, null);
  await point(open.id, other.id);
  await env.DB.prepare("delete from slugs where asset = ?").bind(without.id).run();

  const found = async () =>
    (await recountWorkspaces(ws.ctx)).repaired.filter(({ workspace }) => workspace === ws.slug);
  const expected = ["Wrong", "Closed", "Open"].map((name) => ({
    ...{ workspace: ws.slug, kept: "codes that open another link", of: name, is: 1, should_be: 0 },
  }));
  expect((await found()).toSorted((a, b) => b.of.localeCompare(a.of))).toEqual(
    expected.toSorted((a, b) => b.of.localeCompare(a.of)),
  );
  expect(await found()).toEqual([]);
  const targets = await Promise.all(
    [wrong, closed, right, open].map(async ({ code }) => (await visit(`/${code}`)).headers.get("location")),
  );
  expect(targets).toEqual([...Array(3).fill("https://www.example.com/own"), null]);
  const due = await env.DB.prepare(
    "select count(*) as n from slugs where asset in (?, ?, ?) and push_at is not null",
  )
    .bind(wrong.id, closed.id, open.id)
    .first<number>("n");
  expect(due).toBe(3);
});

it("a code that a release without codes gave to a link is the link's slug, and the asset gets another", async () => {
  const ws = await makeWorkspace();
  const link = await ws.link({ destination_url: "https://www.example.com/own" });
  const asset = await createAsset(ws.ctx, { name: "Poster", link: link.id });
  const code = asset.code ?? "";
  const other = await ws.link({ destination_url: "https://www.example.com/other" });
  // That release sees a free slug of the workspace, and leaves the column alone that it does not know.
  await env.DB.batch([
    env.DB.prepare("update links set slug = ?, slug_key = ? where public_id = ?").bind(code, code, other.id),
    env.DB.prepare(
      "update slugs set link_id = (select id from links where public_id = ?) where key = ?",
    ).bind(other.id, code),
  ]);
  const repaired = async () =>
    (await recountWorkspaces(ws.ctx)).repaired.filter(
      ({ workspace, kept }) => workspace === ws.slug && kept.startsWith("codes"),
    );
  expect(await repaired()).toContainEqual({
    ...{ workspace: ws.slug, kept: "codes that are the slug of a link", of: code, is: 1, should_be: 0 },
  });
  expect((await visit(`/${code}`)).headers.get("location")).toBe("https://www.example.com/other");
  expect(await env.DB.prepare("select asset from slugs where key = ?").bind(code).first("asset")).toBeNull();
  expect((await getAsset(ws.ctx, asset.id)).code).toBeNull();
  expect(await repaired()).toEqual([]);
});
