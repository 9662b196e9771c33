import { expect, it } from "vitest";
import { listAssets } from "../../../src/resources/engagement/asset-service";
import { OVERLOADED, withCommit } from "../../faulty";
import { type TestWorkspace, testEnv } from "../../harness";
import { selectValue } from "../../sql";
import { type Browser, makeMember } from "../browser";
import { fieldsOf, wordsAfter } from "../form-fields";
import { linksOf, tagsOf, totalOf } from "../state";

// A form is sent once more by a second click, or by a person who saw no answer.

const AGAIN = "This form was sent twice.";

interface Sample {
  /** The page of the form, below that of the workspace. */
  page: string;
  fields: Record<string, string>;
  /** Where it is sent, if not to its page. */
  to?: string;
  /** What it makes or changes, as a number that each change makes another one. */
  count: (ws: TestWorkspace) => Promise<number>;
}

const audited = async (ws: TestWorkspace, action: string): Promise<number> =>
  (await selectValue<number>`select count(*) from audit_log where workspace_id = ${ws} and action = ${action}`) ??
  0;

const FORMS: Readonly<Record<string, (id: string, tag: string) => Sample>> = {
  "a link without a slug": () => ({
    page: "/links/new",
    fields: { destination_url: "https://www.example.com/once", new_tags: "Fresh" },
    count: (ws) => totalOf(ws),
  }),
  "a link of the overview": () => ({
    page: "",
    fields: { destination_url: "https://www.example.com/once" },
    count: (ws) => totalOf(ws),
  }),
  "a changed link": (id) => ({
    page: `/links/${id}/edit`,
    fields: { title: "Other", slug: `other-${id.toLowerCase()}` },
    count: (ws) => audited(ws, "link.update"),
  }),
  "a deleted link": (id) => ({
    page: `/links/${id}`,
    to: `/links/${id}/delete`,
    fields: {},
    count: (ws) => audited(ws, "link.delete"),
  }),
  "a replacement that has the text itself": () => ({
    page: "/links",
    to: "/links/change",
    fields: { change: "replace", find: "example.com", replacement: "eu.example.com", all: "1" },
    count: async (ws) => ((await linksOf(ws))[0]?.destination_url.split("eu.").length ?? 0) - 1,
  }),
  "a group": () => ({
    page: "/groups/new",
    fields: { name: "Sale", type: "campaign", status: "draft" },
    count: (ws) => audited(ws, "group.create"),
  }),
  "a tag": () => ({ page: "/tags", fields: { name: "New" }, count: async (ws) => (await tagsOf(ws)).length }),
  "an asset": (id) => ({
    page: `/assets/new?link=${id}`,
    fields: { name: "Poster" },
    count: async (ws) => (await listAssets(ws.ctx)).length,
  }),
  "several assets": (id) => ({
    page: `/assets/several?link=${id}`,
    fields: { list: "One\nTwo", do: "create" },
    count: async (ws) => (await listAssets(ws.ctx)).length / 2,
  }),
  "a member": () => ({
    page: "/members",
    fields: { email: "new@people.example", role: "viewer" },
    count: (ws) => audited(ws, "member.add"),
  }),
  "a deleted tag": (_, tag) => ({
    page: `/tags/${tag}`,
    to: `/tags/${tag}/delete`,
    fields: {},
    count: (ws) => audited(ws, "tag.delete"),
  }),
};

async function prepare(name: string) {
  const { workspace, browser } = await makeMember();
  const tag = await workspace.tag({ name: "Old" });
  const link = await workspace.link({ slug: `once-${workspace.slug}`, tag_ids: [tag.id] });
  const sample = FORMS[name]?.(link.id, tag.id);
  if (sample === undefined) throw new Error(`there is no form ${name}`);
  const at = `/app/${workspace.slug}`;
  const page = await browser.get(at + sample.page);
  const fields = sample.to === undefined ? fieldsOf(page) : { form: fieldsOf(page)["form"] ?? "" };
  const path = at + (sample.to ?? sample.page.split("?")[0]);
  const send = (sender: Browser = browser, env = testEnv) =>
    sender.post(path, { ...fields, ...sample.fields }, {}, env);
  return { workspace, browser, send, count: () => sample.count(workspace) };
}

it.each(Object.keys(FORMS))("%s is made once by two clicks", async (name) => {
  const { browser, send, count, workspace } = await prepare(name);
  const before = await count();
  const answers = await Promise.all([send(), send()]);
  expect(answers.map(({ status }) => status)).toEqual([303, 303]);
  expect((await count()) - before).toBe(1);
  const again = await send();
  expect(again.status).toBe(303);
  expect(again.location).toMatch(new RegExp(`^/app/${workspace.slug}`));
  const page = await browser.get(again.location ?? "");
  expect(page.status).toBe(200);
  expect((await count()) - before).toBe(1);
});

/** An environment whose D1 commits changes and loses their answers. */
const withLostAnswers = () =>
  withCommit((send) => async (statements) => {
    await send(statements);
    throw new Error(OVERLOADED);
  });

it.each(Object.keys(FORMS))("%s is made once by a person who saw no answer", async (name) => {
  const { browser, send, count } = await prepare(name);
  const before = await count();
  expect((await send(browser, withLostAnswers())).status).toBe(503);
  expect((await send()).status).toBe(303);
  expect((await count()) - before).toBe(1);
});

it("leads to what it made, and with other content makes something else", async () => {
  const { workspace, browser } = await makeMember();
  const path = `/app/${workspace.slug}/links/new`;
  const fields = { ...fieldsOf(await browser.get(path)), destination_url: "https://www.example.com/1" };
  const made = await browser.post(path, fields);
  const again = await browser.post(path, fields);
  expect(again.location).toBe(made.location);
  expect(await wordsAfter(browser, again)).toContain(AGAIN);
  await browser.post(path, { ...fields, destination_url: "https://www.example.com/2" });
  expect(await totalOf(workspace)).toBe(2);
});
