import { describe, expect, it } from "vitest";
import { DAY_MS, HOUR_MS } from "../../../src/lib/time";
import {
  type Asset,
  createAsset,
  getAsset,
  listAssets,
} from "../../../src/resources/engagement/asset-service";
import { updateAsset } from "../../../src/resources/engagement/update-asset";
import { makeWorkspace, SHORT, type TestWorkspace, visit } from "../../harness";
import { decodePng, rasterise, read } from "../../resources/qr/decode";
import { runSql, selectRows } from "../../sql";
import { type Browser, makeMember } from "../browser";
import { scan } from "../clicks";
import { wordsIn } from "../form-fields";
import { withoutDensity } from "./density";

const UNKNOWN = "01JZ8Q4V6T3K9M2N5P7R8S0W1X";

const poster = async (ws: TestWorkspace, fields: Partial<Parameters<typeof createAsset>[1]> = {}) =>
  createAsset(ws.ctx, { name: "Poster", link: (await ws.link()).id, kind: "poster", ...fields });

describe("the page of assets", () => {
  it("finds the assets of a link by its slug or short URL, and among them by name, place and status", async () => {
    const { workspace, browser } = await makeMember("viewer");
    const link = await workspace.link();
    await poster(workspace, { name: "Elsewhere" });
    await poster(workspace, { name: "Big sign", link: link.id, place: "Zürich HB", status: "live" });
    await poster(workspace, { name: "Small sign", link: link.id, place: "Bern" });
    const path = `/app/${workspace.slug}/assets`;
    const shown = async (query: string) => {
      const { text } = await browser.get(`${path}?${query}`);
      return ["Elsewhere", "Small sign", "Big sign"].filter((name) => text.includes(name));
    };
    for (const named of [link.slug, link.id, encodeURIComponent(`${SHORT}/${link.slug}`)]) {
      expect(await shown(`link=${named}`)).toEqual(["Small sign", "Big sign"]);
    }
    expect(await shown(`link=${link.slug}&q=Z%C3%9CRICH`)).toEqual(["Big sign"]);
    expect(await shown(`link=${link.slug}&q=small`)).toEqual(["Small sign"]);
    expect(await shown(`link=${link.slug}&status=live`)).toEqual(["Big sign"]);
    const page = (await browser.get(`${path}?link=${link.slug}&status=live`)).text;
    expect(page).toContain(`href="${path}/print?link=${link.id}"`);
  });

  it("finds an asset by its code, and nothing of another workspace", async () => {
    const { workspace, browser } = await makeMember("viewer");
    const asset = await poster(workspace);
    const path = `/app/${workspace.slug}/assets`;
    for (const code of [asset.code, asset.code_url, asset.code?.toUpperCase()]) {
      const found = await browser.get(`${path}?link=${encodeURIComponent(code ?? "")}`);
      expect([found.status, found.location]).toEqual([303, `${path}/${asset.id}`]);
    }
    const strange = await poster(await makeWorkspace());
    for (const named of [strange.code, strange.link.id, strange.link.slug, "nothing-here"]) {
      const { status, text } = await browser.get(`${path}?link=${named}`);
      expect([status, text.includes("No link or poster of this workspace")]).toEqual([200, true]);
      expect(text).not.toContain(asset.id);
    }
  });
});

describe("the list of assets", () => {
  /** The names in the table, in their order. */
  const namesIn = (text: string): string[] =>
    Array.from(
      (text.split("<tbody>")[1] ?? "").matchAll(/<th scope="row"[^>]*><a [^>]*><bdi>([^<]*)/g),
      ([, name = ""]) => name,
    );

  it("is searched by name and place, limited to a place, and ordered by it", async () => {
    const { workspace, browser } = await makeMember("viewer");
    const link = (await workspace.link()).id;
    await poster(workspace, { link, name: "Poster 10", place: "Zürich HB" });
    await poster(workspace, { link, name: "Poster 2", place: "zürich hb" });
    await poster(workspace, { name: "Flyer", place: "Bern" });
    await poster(workspace, { name: "Nowhere" });
    const path = `/app/${workspace.slug}/assets`;
    const list = async (query: string) => namesIn((await browser.get(`${path}?${query}`)).text);
    expect(await list("")).toEqual(["Flyer", "Nowhere", "Poster 2", "Poster 10"]);
    expect(await list("sort=place")).toEqual(["Flyer", "Poster 2", "Poster 10", "Nowhere"]);
    expect(await list("sort=newest")).toEqual(["Nowhere", "Flyer", "Poster 2", "Poster 10"]);
    expect(await list(`q=${encodeURIComponent("ZÜRICH")}`)).toEqual(["Poster 2", "Poster 10"]);
    expect(await list(`place=${encodeURIComponent("Zürich HB")}`)).toEqual(["Poster 2", "Poster 10"]);
    expect(await list("place=bern&q=poster")).toEqual([]);
    expect((await browser.get(`${path}?place=bern&q=poster`)).text).toContain(
      "No poster here has this name or place.",
    );
  });

  it("shows the scans of the last 30 days, today included, as the page of an asset does", async () => {
    const { workspace, browser } = await makeMember("viewer");
    const [seen, unseen] = [await poster(workspace, { name: "Seen" }), await poster(workspace)];
    const today = Date.now() - (Date.now() % DAY_MS);
    await scan(workspace, seen.id, today - 29 * DAY_MS, { scans: 1_234, bots: 9 });
    await scan(workspace, seen.id, today - 29 * DAY_MS - HOUR_MS, { scans: 5_000 });
    const { text } = await browser.get(`/app/${workspace.slug}/assets`);
    const rowOf = (id: string) => text.split("<tr>").find((row) => row.includes(`/assets/${id}"`)) ?? "";
    expect(rowOf(seen.id)).toContain('data-label="Scans, 30 days" class="number">1,234<');
    expect(rowOf(unseen.id)).toContain('data-label="Scans, 30 days" class="number">0<');
  });

  it("has the live assets that lead to something that has ended, which are retired together", async () => {
    const { workspace, browser } = await makeMember("editor");
    const past = Date.now() - DAY_MS;
    const ended = await workspace.link({ ends_at: new Date(past).toISOString() });
    const groups = [
      await workspace.group({ status: "completed" }),
      await workspace.group({ status: "active", starts_at: 0, ends_at: past, ends_links: true }),
      await workspace.group({ status: "active", starts_at: 0, ends_at: past }),
    ];
    const links = [ended, await workspace.link()];
    for (const { id } of groups) links.push(await workspace.link({ activity_group_id: id }));
    const ids: string[] = [];
    for (const [index, { id: link }] of links.entries()) {
      const fields = { name: `Poster ${index}`, link, kind: "poster", status: "live" } as const;
      ids.push((await createAsset(workspace.ctx, fields)).id);
    }
    const draft = { name: "Draft", link: ended.id, kind: "poster", status: "draft" } as const;
    ids.push((await createAsset(workspace.ctx, draft)).id);
    const home = `/app/${workspace.slug}`;
    const overview = wordsIn((await browser.get(home)).text);
    expect(overview).toContain("3 live posters lead to a link or campaign that has ended");
    const path = `${home}/assets?ended=1`;
    expect(namesIn((await browser.get(path)).text)).toEqual(["Poster 0", "Poster 2", "Poster 3"]);
    const retired = await browser.post(`${home}/assets/change?ended=1`, { id: ids, status: "retired" });
    expect([retired.status, retired.location]).toEqual([303, path]);
    const page = await browser.get(path);
    expect(wordsIn(page.text)).toContain("5 posters are retired now. 1 poster stays as before.");
    const live = await browser.post(`${home}/assets/change`, { id: ids.slice(0, 2), status: "live" });
    expect(wordsIn((await browser.get(live.location ?? "")).text)).toContain("2 posters are live now.");
    const trail = await browser.get(`${home}/audit?action=asset.update`);
    expect(wordsIn(trail.text)).toMatch(/set 2 posters live.* retired 5 posters/);
    for (const [fields, status] of [
      [{ id: [], status: "live" }, 422],
      [{ id: ids, status: "draft" }, 422],
      [{ id: ids }, 422],
      [{ id: [UNKNOWN], status: "live" }, 404],
    ] as const)
      expect((await browser.post(`${home}/assets/change`, fields)).status).toBe(status);
  });

  it("of more than 2,000 assets has all, the newest first, and searches the newest", async () => {
    const { workspace, browser } = await makeMember("viewer");
    const link = await workspace.link();
    await runSql`with recursive numbers(n) as (select 1 union all select n + 1 from numbers
      where n < 2005)
      insert into offline_assets (public_id, workspace_id, link_id, name, kind, status, created_at, updated_at)
        select 'MANY' || n, workspace_id, id, 'Many ' || n, 'poster', 'draft', 0, 0
      from numbers join links on public_id = ${link.id}`;
    await runSql`insert into slugs (key, workspace_id, link_id, asset, created_at)
        select lower(public_id), workspace_id, link_id, public_id, 0 from offline_assets
      where public_id like 'MANY%'`;
    const path = `/app/${workspace.slug}/assets`;
    const first = (await browser.get(path)).text;
    expect(first).toContain("2,005 posters, page 1 of 41");
    expect(first).toContain("There are more than 2,000 posters.");
    expect(namesIn(first)[0]).toBe("Many 2005");
    expect(namesIn((await browser.get(`${path}?page=41`)).text).at(-1)).toBe("Many 1");
    expect(namesIn((await browser.get(`${path}?q=many+2000`)).text)).toEqual(["Many 2000"]);
    expect(namesIn((await browser.get(`${path}?q=many+3&sort=name`)).text)[0]).toBe("Many 30");
    await runSql`delete from slugs where asset like 'MANY%'`;
    await runSql`delete from offline_assets where public_id like 'MANY%'`;
  });
});

describe("creating an asset", () => {
  it("uses the link of the previous page, and creates a draft", async () => {
    const { workspace, browser } = await makeMember("editor");
    const old = await workspace.link();
    const { link } = (
      await workspace.call("PATCH", `/api/v1/links/${old.id}`, { body: { slug: `${old.slug}-2` } })
    ).body;
    const path = `/app/${workspace.slug}/assets/new`;
    const form = await browser.get(`${path}?link=${link.id}`);
    expect(form.text).toContain(`value="${link.slug}"`);
    // A former slug names the link too.
    const fields = { name: "Poster at the station", kind: "poster", place: "Platform 3" };
    const made = await browser.post(path, { ...fields, link: old.slug.toUpperCase(), quantity: "12" });
    expect(made.status).toBe(303);
    const [asset] = await listAssets(workspace.ctx);
    expect(made.location).toBe(`/app/${workspace.slug}/assets/${asset?.id}`);
    expect(asset).toMatchObject({
      ...fields,
      status: "draft",
      quantity: 12,
      link: { id: link.id, slug: link.slug, status: "active" },
      live_at: null,
    });
    expect((await browser.get(made.location ?? "")).text).toContain("is created, as a draft.");
  });
});

describe("an asset's page", () => {
  const pathOf = (ws: TestWorkspace, { id }: Asset) => `/app/${ws.slug}/assets/${id}`;

  /** Sends one of the forms that change the asset of a page. */
  async function change(
    browser: Browser,
    workspace: TestWorkspace,
    asset: Asset,
    fields: Record<string, string>,
  ) {
    const { text } = await browser.get(pathOf(workspace, asset));
    const [, action = ""] = /action="([^"]*\/assets\/change[^"]*)"/.exec(text) ?? [];
    return browser.post(action.replaceAll("&amp;", "&"), { id: asset.id, ...fields });
  }

  it("shows its link and its code, and its QR files lead to the code", async () => {
    const { workspace, browser } = await makeMember("viewer");
    const asset = await poster(workspace);
    const { text } = await browser.get(pathOf(workspace, asset));
    const qr = `${pathOf(workspace, asset)}/qr`;
    expect(text).toContain(`/links/${asset.link.id}">/${asset.link.slug}</a>`);
    expect(text).toContain(`data-copy="${asset.code_url}"`);
    expect(text).toContain(`src="${qr}"`);
    expect(text).toContain(`href="${qr}?download=1"`);
    const svg = await browser.get(`${qr}?download=1`);
    expect(svg.headers.get("content-disposition")).toBe(`attachment; filename="${asset.code}.svg"`);
    expect(read(rasterise(svg.text))).toBe(asset.code_url);
    const etag = svg.headers.get("etag") ?? "";
    expect((await browser.get(qr, { headers: { "if-none-match": etag } })).status).toBe(304);
    for (const [millimetres, pixels] of [
      [25, 295],
      [50, 591],
      [100, 1181],
      [150, 1772],
    ]) {
      expect(text).toContain(`href="${qr}?print=${millimetres}&amp;download=1"`);
      const png = await browser.download(`${qr}?print=${millimetres}&download=1`);
      expect(png.headers.get("content-disposition")).toContain(`"${asset.code}-${millimetres}mm.png"`);
      const image = await decodePng(withoutDensity(png.bytes));
      expect([image.size, read(image)]).toEqual([pixels, asset.code_url]);
    }
  });

  it("moves to another link, and what is printed follows", async () => {
    const { workspace, browser } = await makeMember("editor");
    const asset = await poster(workspace);
    const other = await workspace.link({ destination_url: "https://www.example.com/elsewhere" });
    const path = pathOf(workspace, asset);
    const page = (await browser.get(path)).text;
    expect(page).toContain(`the code ${asset.code} opens the other link`);
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const refused = await change(browser, workspace, asset, { status: "move", to_link: "nothing-here" });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('aria-describedby="to_link-hint to_link-refusal"');
    expect(refused.text).toContain('value="nothing-here" autocomplete="off" id="to_link"');
    const before = await browser.get(`${path}/qr`);
    const moved = await change(browser, workspace, asset, {
      status: "move",
      to_link: `${SHORT}/${other.slug}`,
    });
    expect([moved.status, moved.location]).toEqual([303, path]);
    const { text } = await browser.get(path);
    expect(text).toContain(`1 poster is on /${other.slug} now. What is printed stays valid.`);
    expect(text).toMatch(/action="[^"]+\/undo"/);
    expect((await visit(`/${asset.code}`)).headers.get("location")).toBe("https://www.example.com/elsewhere");
    expect((await browser.get(`${path}/qr`)).text).toBe(before.text);
  });

  it("has no code for an archived or deleted link, and says why", async () => {
    const { workspace, browser } = await makeMember("editor");
    const asset = await poster(workspace);
    await workspace.call("PATCH", `/api/v1/links/${asset.link.id}`, { body: { status: "archived" } });
    const archived = (await browser.get(pathOf(workspace, asset))).text;
    expect(archived).not.toContain("<img");
    await workspace.call("DELETE", `/api/v1/links/${asset.link.id}`);
    const deleted = (await browser.get(pathOf(workspace, asset))).text;
    expect(deleted).toContain("is deleted: what was printed leads nowhere.");
    expect(deleted).toContain("it cannot go live");
    expect(deleted).not.toContain("Make it live");
    const live = await change(browser, workspace, asset, { status: "live" });
    expect(live.status).toBe(422);
    expect(live.text).toContain("The link of this poster is deleted: it cannot go live.");
  });

  it("makes it live, says that this protects its link, and stores the first time", async () => {
    const { workspace, browser } = await makeMember("editor");
    const asset = await poster(workspace);
    const path = pathOf(workspace, asset);
    const move = (status: string) => change(browser, workspace, asset, { status });
    expect([(await move("live")).status, (await getAsset(workspace.ctx, asset.id)).status]).toEqual([
      303,
      "live",
    ]);
    const { live_at: liveAt } = await getAsset(workspace.ctx, asset.id);
    expect(Date.parse(liveAt ?? "")).toBeGreaterThanOrEqual(Date.parse(asset.created_at));
    expect((await browser.get(path)).text).toContain("1 poster is live now.");
    expect((await workspace.call("DELETE", `/api/v1/links/${asset.link.id}`)).status).toBe(422);

    await move("retired");
    const retired = (await browser.get(path)).text;
    expect(retired).toContain("1 poster is retired now.");
    await move("live");
    expect(await getAsset(workspace.ctx, asset.id)).toMatchObject({ status: "live", live_at: liveAt });
  });

  it("retires a draft, which a change of several leaves as it is", async () => {
    const { workspace, browser } = await makeMember("editor");
    const asset = await poster(workspace);
    expect((await change(browser, workspace, asset, { status: "retired" })).status).toBe(303);
    expect((await getAsset(workspace.ctx, asset.id)).status).toBe("retired");
  });

  it("edits the asset, and clears emptied fields", async () => {
    const { workspace, browser } = await makeMember("editor");
    const asset = await poster(workspace, { place: "Hall", quantity: 3 });
    const path = pathOf(workspace, asset);
    const fields = { name: "Sign", kind: "signage" };
    const refused = await browser.post(path, { ...fields, place: "x", quantity: "many" });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain("The quantity must be a whole number.");
    expect(refused.text).toContain('value="many"');
    const saved = await browser.post(path, { ...fields, place: "", quantity: "", status: "live" });
    expect([saved.status, saved.location]).toEqual([303, path]);
    const { updated_at: _, ...rest } = asset;
    const after = { ...rest, ...fields, place: null, quantity: null };
    expect(await getAsset(workspace.ctx, asset.id)).toMatchObject(after);
  });
});

it("assets of the web application go live once if two people do it at once, and keep their history", async () => {
  const workspace = await makeWorkspace();
  const asset = await poster(workspace);
  const move = (status: "live" | "retired") => updateAsset(workspace.ctx, asset.id, { status });
  await Promise.all([move("live"), move("live")]);
  await move("retired");
  const results = await selectRows`select action, before ->> 'status' as status, change ->> 'status' as next
      from audit_log where subject = ${asset.id} order by id`;
  expect(results).toEqual([
    { action: "asset.create", status: null, next: null },
    { action: "asset.update", status: "draft", next: "live" },
    { action: "asset.update", status: "live", next: "retired" },
  ]);
});
