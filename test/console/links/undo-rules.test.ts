import { afterEach, expect, it, vi } from "vitest";
import type { Env } from "../../../src/context";
import { blockHost, unblockHost } from "../../../src/resources/destinations/blocklist";
import { addDomain } from "../../../src/resources/domains/domain-service";
import { removeDomain } from "../../../src/resources/domains/remove-domain";
import { createAssets, listAssets } from "../../../src/resources/engagement/asset-service";
import { makeWorkspace, serviceContext, testEnv, visit } from "../../harness";
import { runSql } from "../../sql";
import { type Browser, makeMember, signInAs } from "../browser";
import { undoOn, wordsAfter } from "../form-fields";
import { checkedAt, prefix, press, pressThrough } from "../imports/helpers";
import { linkOf } from "../state";

// Between a change of many and its undo the rules may have become stricter, or a place may have been taken.

const CHECKED: Env = { ...testEnv, DESTINATION_DNS_CHECK: "https://resolver.example/dns-query" };
const UPDATE = { existing: "update" };

afterEach(() => vi.restoreAllMocks());

/** A resolver that knows hosts as malware. */
const resolveWith = (bad: ReadonlySet<string>) =>
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    const name = new URL(new Request(input).url).searchParams.get("name") ?? "";
    return Response.json({ Status: 0, Answer: [{ data: bad.has(name) ? "0.0.0.0" : "203.0.113.5" }] });
  });

const undoOf = async (browser: Browser, location: string | null): Promise<string> =>
  wordsAfter(browser, await browser.post(undoOn(await browser.get(location ?? ""))));

it("a destination whose host is known as malware does not come back, by the undo of many links or of an import", async () => {
  const bad = new Set<string>();
  resolveWith(bad);
  const ws = await makeWorkspace();
  const browser = await signInAs(ws, "editor", CHECKED);
  const host = `${crypto.randomUUID().slice(0, 8)}.example`;
  const make = async () => {
    const body = { destination_url: `https://${host}/x` };
    return (await ws.call("POST", "/api/v1/links", { body, env: CHECKED })).body.link;
  };
  const [replaced, imported] = [await make(), await make()];
  bad.add(host);
  await runSql`update links set taken_down_at = 1, taken_down_by = 'check', host_check = 'blocked'
    where workspace_id = ${ws}`;

  const change = { ids: replaced.id, change: "replace", find: host, replacement: "www.example.com" };
  const { location } = await browser.post(`/app/${ws.slug}/links/change`, change);
  expect((await visit(`/${replaced.slug}`)).headers.get("location")).toBe("https://www.example.com/x");
  expect(await undoOf(browser, location)).toContain("The earlier destination is refused now.");
  expect((await visit(`/${replaced.slug}`)).headers.get("location")).toBe("https://www.example.com/x");

  const file = `slug,destination_url\n${imported.slug},https://www.example.com/y`;
  const at = await checkedAt(browser, ws, file, UPDATE);
  await press(browser, `${at}/go-on`);
  expect(await pressThrough(browser, `${at}/undo`)).toContain("The earlier destination is refused now.");
  expect((await linkOf(ws, imported.id)).destination_url).toBe("https://www.example.com/y");
});

it("an address after the end and rules that lead to a blocked host do not come back with many links", async () => {
  const { workspace: ws, browser } = await makeMember("editor");
  const host = `${prefix()}.example`;
  const ended = await ws.link({ ended_url: `https://${host}/over` });
  const ruled = await ws.link({ rules: [{ destination_url: `https://${host}/ios`, devices: ["ios"] }] });
  const titled = await ws.link({ ended_url: `https://${host}/stays`, title: "Old" });
  const [before, after] = await Promise.all([ended, ruled].map(({ id }) => linkOf(ws, id)));
  const rules = JSON.stringify([{ destination_url: "https://www.example.com/ios", devices: ["ios"] }]);
  const rows = [
    `${ended.slug},https://www.example.com/over,,`,
    `${ruled.slug},,"${rules.replaceAll('"', '""')}",`,
    `${titled.slug},https://${host}/stays,,New`,
  ];
  const at = await checkedAt(browser, ws, `slug,ended_url,rules,title\n${rows.join("\n")}`, UPDATE);
  await press(browser, `${at}/go-on`);
  expect((await linkOf(ws, ruled.id)).rules).not.toEqual(ruled.rules);
  await blockHost(serviceContext(), host);
  const said = await pressThrough(browser, `${at}/undo`);
  await unblockHost(serviceContext(), host);
  expect(said).toContain(`Not undone: ${ended.slug}. The earlier address after the end is refused now.`);
  expect(said).toContain(`Not undone: ${ruled.slug}. An earlier rule is refused now.`);
  expect(await linkOf(ws, ended.id)).toMatchObject({ ended_url: "https://www.example.com/over" });
  expect((await linkOf(ws, ruled.id)).rules).not.toEqual(after?.rules);
  expect(await linkOf(ws, titled.id)).toMatchObject({ title: "Old", ended_url: titled.ended_url });
  expect(before?.ended_url).toBe(ended.ended_url);
});

it("an external id that another link has by now stops the undo of no other link", async () => {
  const { workspace: ws, browser } = await makeMember("editor");
  const start = prefix();
  const one = await ws.link({ slug: `${start}-one`, external_id: `${start}-x` });
  const two = await ws.link({ slug: `${start}-two`, external_id: `${start}-q`, title: "old" });
  const rows = [`${start}-one,${start}-z,`, `${start}-two,${start}-q,new`];
  const at = await checkedAt(browser, ws, `slug,external_id,title\n${rows.join("\n")}`, UPDATE);
  await press(browser, `${at}/go-on`);
  expect((await linkOf(ws, one.id)).external_id).toBe(`${start}-z`);
  await ws.link({ external_id: `${start}-x` });
  await press(browser, `${at}/undo`);
  expect((await linkOf(ws, one.id)).external_id).toBe(`${start}-z`);
  expect((await linkOf(ws, two.id)).title).toBe("old");
});

it("an address on a removed domain does not come back, before the workspace has the domain again", async () => {
  const { workspace: ws, browser } = await makeMember("editor");
  const { host } = await addDomain(ws.ctx, `${prefix()}.acme.example`, true);
  const link = await ws.link({ domain: host });
  const change = { ids: link.id, change: "domain", to_domain: ws.ctx.config.shortHost };
  const { location } = await browser.post(`/app/${ws.slug}/links/change`, change);
  const undo = undoOn(await browser.get(location ?? ""));
  const pressUndo = async () => wordsAfter(browser, await browser.post(undo));
  await removeDomain(ws.ctx, host);
  expect(await pressUndo()).toContain(
    `Not undone: ${link.slug}. The earlier domain is no longer one of the workspace.`,
  );
  expect((await linkOf(ws, link.id)).domain).toBe(ws.ctx.config.shortHost);

  await addDomain(ws.ctx, host, true);
  expect(await pressUndo()).toContain("Undid the change of 1 link.");
  expect((await linkOf(ws, link.id)).domain).toBe(host);
});

it("a former link that is full by now keeps its assets away, and the others come back", async () => {
  const { workspace: ws, browser } = await makeMember("editor");
  const [full, free, target] = [await ws.link(), await ws.link(), await ws.link()];
  const make = (link: { id: string }, names: readonly string[]) =>
    createAssets(ws.ctx, { link: link.id, status: "draft", assets: names.map((name) => ({ name })) });
  const moved = [...(await make(full, ["a"])), ...(await make(free, ["b"]))].map(({ id }) => id);
  const sent = { id: moved, status: "move", to_link: target.slug };
  const { location } = await browser.post(`/app/${ws.slug}/assets/change`, sent);
  for (let times = 0; times < 4; times++) await make(full, Array(50).fill("filler"));
  expect(await undoOf(browser, location)).toContain("Undid the change of 1 poster. 1 poster stays as now.");
  const links = new Map((await listAssets(ws.ctx)).map(({ name, link }) => [name, link.slug]));
  expect([links.get("a"), links.get("b")]).toEqual([target.slug, free.slug]);
});
