import { describe, expect, it } from "vitest";
import { createApiKey, revokeApiKey } from "../../../src/access/keys";
import { addMember, listMembers, removeMember } from "../../../src/access/members";
import type { TestWorkspace } from "../../harness";
import { runSql } from "../../sql";
import { makeMember, signInAs } from "../browser";
import { linkTo, wordsIn } from "../form-fields";

describe("the members", () => {
  it("are changed and removed by an owner, from their next request on", async () => {
    const { workspace, browser } = await makeMember();
    const editor = await signInAs(workspace, "editor");
    const path = `/app/${workspace.slug}/members`;
    const one = `${path}/${encodeURIComponent(editor.email)}`;
    expect((await browser.post(one, { role: "viewer" })).location).toBe(path);
    expect((await browser.get(path)).text).toContain(`${editor.email} is viewer now.`);
    expect((await editor.get(`/app/${workspace.slug}/workspace`)).text).toContain("<dd>viewer</dd>");
    expect((await browser.post(`${one}/remove`)).location).toBe(path);
    expect((await editor.get(path)).status).toBe(404);
    const home = await editor.get("/app");
    expect([home.status, home.text.includes("Nobody has added")]).toEqual([200, true]);
  });

  it("have names that an owner gives, and are found by them", async () => {
    const { workspace, browser } = await makeMember();
    const editor = await signInAs(workspace, "editor");
    const path = `/app/${workspace.slug}/members`;
    const one = `${path}/${encodeURIComponent(editor.email)}/name`;
    expect((await browser.post(one, { name: "Ada <b>" })).location).toBe(path);
    expect((await browser.get(path)).text).toContain(`${editor.email} is called Ada &lt;b&gt; now.`);
    const found = (await browser.get(`${path}?q=ADA`)).text;
    expect([found.includes("<bdi>Ada &lt;b&gt;</bdi>"), found.includes(editor.email)]).toEqual([true, true]);
    expect(found).toContain("1 person");
    const everybody = (await browser.get(path)).text;
    const ids = [...everybody.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(ids).toEqual([...new Set(ids)]);
    expect(wordsIn((await browser.get(`/app/${workspace.slug}/audit`)).text)).toContain(
      `changed the name of the member ${editor.email}`,
    );
    const refused = await browser.post(one, { name: "x".repeat(101) });
    expect([refused.status, refused.text.includes('<details class="dropdown" open')]).toEqual([422, true]);
    await browser.post(one, { name: "" });
    expect((await listMembers(workspace.ctx)).map(({ name }) => name)).toEqual([null, null]);
    await browser.post(path, { email: "new@team.example", name: "Grace", role: "viewer" });
    expect((await browser.get(path)).text).toContain("<bdi>Grace</bdi>");
    expect((await editor.post(one, { name: "Eve" })).status).toBe(403);
    expect((await browser.post(`${path}/nobody%40team.example/name`, { name: "Eve" })).status).toBe(404);
  });

  it("warn people who change or end their own membership, and keep the last owner", async () => {
    const { workspace, browser } = await makeMember();
    const path = `/app/${workspace.slug}/members`;
    const own = `${path}/${encodeURIComponent(browser.email)}`;
    const page = await browser.get(path);
    expect(page.text).toContain("This is you. As editor or viewer you can no longer manage keys");
    expect(page.text).toContain("This is you. You lose this workspace at once");
    for (const [to, fields] of [
      [own, { role: "editor" }],
      [`${own}/remove`, {}],
    ] as const) {
      const refused = await browser.post(to, fields);
      expect(refused.status).toBe(422);
      expect(refused.text).toContain("A workspace needs an owner: make somebody else an owner first.");
    }
    await addMember(workspace.ctx, { email: "second@team.example", role: "owner" });
    const left = await browser.post(`${own}/remove`);
    expect([left.status, left.location]).toEqual([303, "/app"]);
    expect((await browser.get("/app")).text).toContain(`You have left ${workspace.ctx.workspace.name}.`);
    expect((await browser.get(path)).status).toBe(404);
  });

  it("two owners who remove each other at once leave one", async () => {
    for (const [remove, demote] of [
      [true, true],
      [true, false],
      [false, false],
    ] as const) {
      const { workspace, browser } = await makeMember();
      const other = await signInAs(workspace, "owner");
      const path = `/app/${workspace.slug}/members`;
      const act = (by: typeof browser, email: string, isRemoval: boolean) => {
        const one = `${path}/${encodeURIComponent(email)}`;
        return isRemoval ? by.post(`${one}/remove`) : by.post(one, { role: "viewer" });
      };
      await Promise.all([act(browser, other.email, remove), act(other, browser.email, demote)]);
      const left = await listMembers(workspace.ctx);
      expect(left.filter(({ role }) => role === "owner")).toHaveLength(1);
    }
  });

  /** Inserts viewers: person1@team.example and so on. */
  const insertPeople = (workspace: TestWorkspace, count: number) =>
    runSql`with recursive numbers(n) as (select 1 union all select n + 1 from numbers
      where n < ${count})
      insert into members (public_id, workspace_id, email, role, created_at)
      select printf('01PE%010d%012d', ${workspace}, n), ${workspace}, 'person' || n || '@team.example', 'viewer', n
      from numbers`;
  const peopleIn = (text: string) => [...text.matchAll(/<th scope="row">([^<@]*)@/g)].map(([, name]) => name);

  it("are in pages in natural order, each of which stays small", async () => {
    const { workspace, browser } = await makeMember();
    await insertPeople(workspace, 1_000);
    const path = `/app/${workspace.slug}/members`;
    const first = await browser.get(path);
    expect(first.text.length).toBeLessThan(150_000);
    expect(peopleIn(first.text)).toHaveLength(50);
    expect(peopleIn(first.text).slice(-3)).toEqual(["person47", "person48", "person49"]);
    expect(first.text).toContain("1,001 people, page 1 of 21");
    expect(linkTo(first)).toBe(`${path}?page=2`);
    expect((await browser.get(`${path}?page=9999`)).text).toContain("1,001 people, page 21 of 21");
  });

  it("that are on another page are not unknown to a form that is refused", async () => {
    const { workspace, browser } = await makeMember();
    await insertPeople(workspace, 100);
    const path = `/app/${workspace.slug}/members/person100%40team.example`;
    expect((await browser.post(path, { role: "nonsense" })).status).toBe(422);
  });
});

it("the page of people says which keys of a removed member still work", async () => {
  const { workspace, browser } = await makeMember();
  const left = await signInAs(workspace, "owner");
  const ctx = { ...workspace.ctx, actor: `member:${left.email}` };
  const [key, revoked] = [
    await createApiKey(ctx, { name: "Build server" }),
    await createApiKey(ctx, { name: "Old one" }),
  ];
  await createApiKey(workspace.ctx, { name: "Of another one" });
  await revokeApiKey(ctx, revoked.id);
  const path = `/app/${workspace.slug}/members`;
  expect((await browser.get(path)).text).not.toContain("API keys of people who left");
  await removeMember(workspace.ctx, left.email);
  const { text } = await browser.get(path);
  const card = text.slice(text.indexOf("API keys of people who left"));
  expect(card).toContain("Build server");
  expect(card).toContain(`…${key.last4}`);
  expect(card).toContain(left.email);
  expect(card).not.toContain("Old one");
  expect(card).not.toContain("Of another one");
  await addMember(workspace.ctx, { email: left.email, role: "editor" });
  const editor = await signInAs(workspace, "viewer");
  expect((await editor.get(path)).text).not.toContain("API keys of people who left");
  expect((await browser.get(path)).text).not.toContain("API keys of people who left");
});
