import { afterEach, describe, expect, it, vi } from "vitest";
import { revokeApiKey } from "../../../src/access/keys";
import { removeMember } from "../../../src/access/members";
import { actorOf } from "../../../src/access/sessions";
import { createLink } from "../../../src/resources/links/create-link";
import { updateWorkspace } from "../../../src/resources/workspaces/workspace-service";
import type { TestWorkspace } from "../../harness";
import { makeMember, type Page, signInAs } from "../browser";
import { linkTo, wordsIn } from "../form-fields";

afterEach(() => void vi.useRealTimers());

const URL = "https://www.example.com/";
const listOf = (ws: TestWorkspace, query = "") => `/app/${ws.slug}/links${query}`;
const titlesIn = ({ text }: Page) =>
  [...text.matchAll(/<a class="name" [^>]*><bdi>([^<]*)<\/bdi>/g)].map(([, title]) => title);

/** Links of a key, two people and the operator. */
async function makeLinks() {
  const { workspace, browser } = await makeMember("editor");
  await workspace.link({ title: "by key" });
  await browser.post(listOf(workspace, "/new"), { destination_url: URL, title: "by member" });
  const operator = { ...workspace.ctx, actor: "operator" };
  await createLink(operator, { destination_url: URL, title: "by operator" });
  return { workspace, browser };
}

describe("the creator of a link", () => {
  it("is in the list and on the link's page; the names of keys are for editors", async () => {
    const { workspace, browser } = await makeLinks();
    const viewer = await signInAs(workspace, "viewer");
    const seen = wordsIn((await browser.get(listOf(workspace))).text);
    for (const name of ["API key “test”", browser.email, "the operator"])
      expect(seen).toContain(`less than an hour ago by ${name}`);
    expect(wordsIn((await viewer.get(listOf(workspace))).text)).toContain("by an API key");
    const { body } = await workspace.call("GET", "/api/v1/links?sort=created_at");
    expect(JSON.stringify(body)).not.toContain("created_by");
    const page = `/app/${workspace.slug}/links/${body.links[0].id}`;
    expect(wordsIn((await browser.get(page)).text)).toMatch(/Created by API key “test” on \d/);
    expect(wordsIn((await viewer.get(page)).text)).toMatch(/Created by an API key on \d/);
  });

  it("stays when the member is removed, the key revoked, or the link changed by others", async () => {
    const { workspace, browser } = await makeLinks();
    await removeMember(workspace.ctx, browser.email);
    await revokeApiKey(workspace.ctx, workspace.keyId);
    const owner = await signInAs(workspace, "owner");
    const filter = `?created_by=${encodeURIComponent(actorOf(browser.email))}`;
    const page = await owner.get(listOf(workspace, filter));
    expect(titlesIn(page)).toEqual(["by member"]);
    expect(wordsIn(page.text)).toContain(`Created by ${browser.email} ×`);
    const id = /links\/(01[0-9A-Z]{24})"/.exec(page.text)?.[1] ?? "";
    await owner.post(`/app/${workspace.slug}/links/${id}/status`, { status: "archived" });
    expect(titlesIn(await owner.get(listOf(workspace, `${filter}&status=all`)))).toEqual(["by member"]);
  });
});

describe("the list of links", () => {
  it("is filtered by creator, with other filters, in its file and for changes of all results", async () => {
    const { workspace, browser } = await makeLinks();
    const titles = async (query: string, by = browser) => titlesIn(await by.get(listOf(workspace, query)));
    const key = `?created_by=key:${workspace.keyId}`;
    expect(await titles("?created_by=operator")).toEqual(["by operator"]);
    expect(await titles(key)).toEqual(["by key"]);
    expect(await titles(`${key}&q=operator`)).toEqual([]);
    expect(await titles(key, await signInAs(workspace, "viewer"))).toEqual(["by key"]);
    expect(await titles("?created_by=nobody")).toEqual([]);

    const list = await browser.get(listOf(workspace, key));
    expect(list.text).toContain(`<input type="hidden" name="created_by" value="key:${workspace.keyId}"/>`);
    const markup = await browser.get(listOf(workspace, "?created_by=%22%3E%3Cscript%3E"));
    expect([markup.status, markup.text.includes('"><script>')]).toEqual([200, false]);

    const file = await browser.get(`/app/${workspace.slug}/links/list.csv${key}`);
    expect(file.text).toContain("by key");
    expect(file.text).not.toContain("by operator");
    const changed = await browser.post(`/app/${workspace.slug}/links/change${key}`, {
      all: "1",
      change: "archive",
    });
    expect([changed.status, changed.location]).toEqual([303, listOf(workspace, key.replace(":", "%3A"))]);
    expect(await titles("?status=archived")).toEqual(["by key"]);
  });

  it("is filtered by days of creation in the workspace's time zone, on every page", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const { workspace, browser } = await makeMember("editor");
    await updateWorkspace(workspace.ctx, { time_zone: "Europe/Zurich" });
    for (const at of [
      "2026-05-31T21:59:59.999Z",
      "2026-05-31T22:00:00Z",
      "2026-06-01T12:00:00Z",
      "2026-06-02T21:59:59.999Z",
      "2026-06-02T22:00:00Z",
    ]) {
      vi.setSystemTime(at);
      await workspace.link({ title: at });
    }
    const titles = async (query: string) => titlesIn(await browser.get(listOf(workspace, query)));
    const days = "?created_from=2026-06-01&created_to=2026-06-02";
    const inside = ["2026-06-02T21:59:59.999Z", "2026-06-01T12:00:00Z", "2026-05-31T22:00:00Z"];
    expect(await titles(days)).toEqual(inside);
    expect(await titles(`${days}&sort=title&status=all`)).toEqual(inside.toReversed());
    expect(await titles("?created_to=2026-05-31")).toEqual(["2026-05-31T21:59:59.999Z"]);
    expect(await titles("?created_from=2026-06-03")).toEqual(["2026-06-02T22:00:00Z"]);
    expect(await titles("?created_from=2026-06-02&created_to=2026-06-01")).toEqual([]);
    expect(await titles("?created_from=0001-01-01&created_to=9999-12-31")).toHaveLength(5);
    // A text that is no date is ignored, as other filters are.
    expect(await titles("?created_from=soon&created_to=2026-02-30")).toHaveLength(5);

    const first = await browser.get(listOf(workspace, `${days}&per_page=2`));
    expect(titlesIn(first)).toEqual(inside.slice(0, 2));
    expect(wordsIn(first.text)).toMatch(/2026-06-01 ×.*2026-06-02 ×/);
    expect(titlesIn(await browser.get(linkTo(first)))).toEqual(inside.slice(2));
  });
});
