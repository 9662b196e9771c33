import { describe, expect, it } from "vitest";
import { takeDown } from "../../../src/operations/moderation/takedown";
import { blockHost } from "../../../src/resources/destinations/blocklist";
import { createAsset } from "../../../src/resources/engagement/asset-service";
import { updateLink } from "../../../src/resources/links/update-link";
import { type TestWorkspace, visit } from "../../harness";
import { makeMember, signInAs } from "../browser";
import { watched } from "../depth";

const pathOf = (ws: TestWorkspace, rest: string) => `/app/${ws.slug}/links/${rest}`;

describe("the page of a link", () => {
  it("shows the link, its target and the reasons, its old slugs and its QR code", async () => {
    const { workspace, browser } = await makeMember("viewer");
    const group = await workspace.group({ name: "Spring", default_utm_campaign: "spring" });
    const link = await workspace.link({ title: "Shop", activity_group_id: group.id });
    const slug = `new-${crypto.randomUUID().slice(0, 8)}`;
    await updateLink(workspace.ctx, link.id, { slug });
    const observed = watched();
    const page = await browser.get(pathOf(workspace, link.id), {}, observed.env);
    expect(page.status).toBe(200);
    expect(observed.depth()).toBeLessThanOrEqual(4);
    for (const part of [
      `https://s.example/${slug}`,
      "https://www.example.com/?utm_campaign=spring",
      "from the group",
      `nobody else can have them.</span>${link.slug}`,
      `src="${pathOf(workspace, link.id)}/qr"`,
      `${pathOf(workspace, link.id)}/qr?print=50&amp;download=1`,
    ]) {
      expect(page.text).toContain(part);
    }
    expect(page.text).not.toContain("/edit");
    expect(page.text).not.toContain("Delete it for good");
  });

  it("says which file or program manages the link, and warns whoever edits it", async () => {
    const { workspace, browser } = await makeMember("editor");
    const link = await workspace.link({ external_id: "site:hero" });
    const other = await workspace.link({ external_id: "hero" });
    const marks = async (id: string) => [
      (await browser.get(pathOf(workspace, id))).text.includes('Managed by</dt><dd dir="auto">site</dd>'),
      (await browser.get(pathOf(workspace, `${id}/edit`))).text.includes(
        "manages this link by its external ID",
      ),
    ];
    expect(await marks(link.id)).toEqual([true, true]);
    expect(await marks(other.id)).toEqual([false, false]);
  });

  it("archives and restores the link; an archived one has no QR code, and says so", async () => {
    const { workspace, browser } = await makeMember("editor");
    const link = await workspace.link();
    const path = pathOf(workspace, link.id);
    const archived = await browser.post(`${path}/status`, { status: "archived" });
    expect([archived.status, archived.location]).toEqual([303, path]);
    const page = await browser.get(path);
    expect(page.text).toContain("Archived. The link goes on leading");
    expect(page.text).toContain("An archived link has none");
    expect(page.text).not.toContain("<img");
    expect((await browser.get(`${path}/qr`)).status).toBe(404);
    await browser.post(`${path}/status`, { status: "active" });
    expect((await browser.get(path)).text).toContain("Restored.");
    expect((await browser.post(`${path}/status`, { status: "gone" })).status).toBe(422);
  });

  it("deletes the link", async () => {
    const { workspace, browser } = await makeMember("editor");
    const link = await workspace.link();
    const answer = await browser.post(pathOf(workspace, `${link.id}/delete`));
    expect([answer.status, answer.location]).toEqual([303, `/app/${workspace.slug}/links`]);
    expect((await browser.get(answer.location ?? "")).text).toContain("The link is deleted.");
    expect((await visit(`/${link.slug}`)).status).toBe(404);
    expect((await browser.get(pathOf(workspace, link.id))).status).toBe(404);
  });

  it("says why a link on a live Offline Engagement asset cannot be deleted, and names the asset", async () => {
    const { workspace, browser } = await makeMember();
    const link = await workspace.link();
    await createAsset(workspace.ctx, { name: "<Poster>", link: link.id, status: "live" });
    await createAsset(workspace.ctx, { name: "Flyer of later", link: link.id, status: "draft" });
    const page = await browser.get(pathOf(workspace, link.id));
    expect(page.text).toContain("&lt;Poster&gt;");
    const reason = page.text.slice(
      page.text.indexOf("&lt;Poster&gt;", page.text.indexOf("cannot be deleted") - 600),
    );
    expect(reason).not.toContain("Flyer of later");
    expect(page.text).not.toContain("Delete it for good");
    const refused = await browser.post(pathOf(workspace, `${link.id}/delete`));
    expect(refused.status).toBe(422);
    expect(refused.text).toContain("attached to a live Offline Engagement asset");
    expect((await visit(`/${link.slug}`)).status).toBe(302);
  });

  it("says why visitors cannot follow a link, and where they land until then", async () => {
    const { workspace, browser } = await makeMember();
    const [open, taken] = [await workspace.link(), await workspace.link()];
    const blocked = await workspace.link({ destination_url: `https://${workspace.slug}.example/` });
    await takeDown(workspace.ctx, taken.id);
    await blockHost(workspace.ctx, `${workspace.slug}.example`);
    const seen = async ({ id }: { id: string }) => {
      const { text } = await browser.get(pathOf(workspace, id));
      const lands = text.includes("On a page that says that this link was taken down");
      return [/badge-taken_down">([^<]*)</.exec(text)?.[1], text.includes("has taken this link down"), lands];
    };
    expect(await seen(open)).toEqual([undefined, false, false]);
    expect(await seen(taken)).toEqual(["Taken down by the operator", true, true]);
    expect(await seen(blocked)).toEqual(["Stopped: host not allowed", false, true]);
  });
});

it("a link's QR file is the file of the public interface, with its headers, also for a viewer", async () => {
  const { workspace } = await makeMember();
  const viewer = await signInAs(workspace, "viewer");
  const link = await workspace.link();
  for (const query of ["", "?format=png&size=295", "?download=1"]) {
    const own = await viewer.get(pathOf(workspace, `${link.id}/qr${query}`));
    const api = await workspace.call("GET", `/api/v1/links/${link.id}/qr${query}`);
    expect([own.status, own.text]).toEqual([200, api.text]);
    for (const name of [
      "content-type",
      "content-disposition",
      "content-security-policy",
      "x-content-type-options",
      "cache-control",
      "etag",
    ]) {
      expect(own.headers.get(name), `${name} ${query}`).toBe(api.headers.get(name));
    }
    const headers = { "if-none-match": own.headers.get("etag") ?? "" };
    expect((await viewer.get(pathOf(workspace, `${link.id}/qr${query}`), { headers })).status).toBe(304);
  }
  const printed = await viewer.get(pathOf(workspace, `${link.id}/qr?print=25&download=1`));
  expect(printed.headers.get("content-disposition")).toBe(`attachment; filename="${link.slug}-25mm.png"`);
  const [unknown, plain] = ["?print=31", ""].map((query) => pathOf(workspace, `${link.id}/qr${query}`));
  expect((await viewer.get(unknown ?? "")).text).toBe((await viewer.get(plain ?? "")).text);
});

describe("the old slugs of a link", () => {
  async function renamed(role: "owner" | "editor" | "viewer") {
    const { workspace, browser } = await makeMember(role);
    const link = await workspace.link();
    await updateLink(workspace.ctx, link.id, { slug: `new-${crypto.randomUUID().slice(0, 8)}` });
    return { workspace, browser, link, path: pathOf(workspace, link.id) };
  }

  it("can be dropped by an owner after a confirmation, and then stop redirecting", async () => {
    const { browser, link, path } = await renamed("owner");
    expect((await visit(`/${link.slug}`)).status).toBe(302);
    const { text } = await browser.get(path);
    expect(text).toContain(
      `<summary>Drop<span class="unseen"> ${link.slug}</span></summary><form method="post" action="${path}/drop-slug">`,
    );
    expect((await browser.get(`${path}/drop-slug`)).location).toBe(path);
    const dropped = await browser.post(`${path}/drop-slug`, { slug: link.slug });
    expect([dropped.status, dropped.location]).toEqual([303, path]);
    const after = await browser.get(path);
    expect(after.text).toContain(`The slug ${link.slug} is dropped.`);
    expect(after.text).not.toContain("<dt>Old slugs</dt>");
    expect((await visit(`/${link.slug}`)).status).toBe(404);
    const again = await browser.post(`${path}/drop-slug`, { slug: link.slug });
    expect(again.status).toBe(422);
    expect(again.text).toContain("The slug does not open this link.");
    const trail = await browser.get(`/app/${path.split("/")[2]}/audit`);
    expect(trail.text).toContain(`dropped the old address /${link.slug} of the link`);
    expect(trail.text).toContain("Old address");
  });

  it("cannot be dropped while the operator has taken the link down; its pages and the list say why", async () => {
    const { workspace, browser, link, path } = await renamed("owner");
    const other = await workspace.link();
    const list = `/app/${workspace.slug}/links`;
    expect((await browser.get(list)).text).not.toContain("badge-taken_down");
    await takeDown(workspace.ctx, link.id);
    const page = await browser.get(path);
    expect(page.text).toContain("It can be edited, archived and deleted, but not get another slug");
    expect(page.text).not.toContain(`Drop ${link.slug}`);
    const refused = await browser.post(`${path}/drop-slug`, { slug: link.slug });
    expect([refused.status, refused.text.includes("The slug was taken down by the operator")]).toEqual([
      422,
      true,
    ]);
    expect((await browser.get(list)).text.match(/badge-taken_down/g)).toHaveLength(1);
    const filtered = (await browser.get(`${list}?health=taken_down&status=all`)).text;
    expect([filtered.includes(link.id), filtered.includes(other.id)]).toEqual([true, false]);
    const edit = await browser.get(`${path}/edit`);
    expect(edit.text).toContain("so it cannot get another slug");
    expect(edit.text).toMatch(/<input[^>]* name="slug"[^>]* readonly/);
    expect((await browser.get(pathOf(workspace, `${other.id}/edit`))).text).not.toContain("readonly");
  });
});
