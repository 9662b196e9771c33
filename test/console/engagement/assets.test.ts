import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { type Asset, createAsset, getAsset, listAssets } from "../../../src/engagement/service";
import { updateAsset } from "../../../src/engagement/update";
import { counted, makeWorkspace, type TestWorkspace } from "../../harness";
import { makeMember, signInAs } from "../browser";
import { click, scan } from "../clicks";

const UNKNOWN = "01JZ8Q4V6T3K9M2N5P7R8S0W1X";
const DAY_MS = 86_400_000;

const poster = async (ws: TestWorkspace, fields: Partial<Parameters<typeof createAsset>[1]> = {}) =>
  createAsset(ws.ctx, { name: "Poster", link: (await ws.link()).id, kind: "poster", ...fields });

describe("the page of assets", () => {
  it("explains assets if there are none, and links to the form", async () => {
    const { workspace, browser } = await makeMember("editor");
    const page = await browser.get(`/app/${workspace.slug}/assets`);
    expect(page.status).toBe(200);
    expect(page.text).toContain("An asset is a thing in the world");
    expect(page.text).toContain(`href="/app/${workspace.slug}/assets/new"`);
    const viewer = await signInAs(workspace, "viewer");
    expect((await viewer.get(`/app/${workspace.slug}/assets`)).text).not.toContain("assets/new");
  });

  it("lists the newest first, and filters by status", async () => {
    const { workspace, browser } = await makeMember("viewer");
    await poster(workspace, { name: "Old one", status: "retired" });
    await poster(workspace, { name: "Big sign", status: "live", place: "Main station", quantity: 1200 });
    const path = `/app/${workspace.slug}/assets`;
    const all = (await browser.get(path)).text;
    expect(all.indexOf("Big sign")).toBeLessThan(all.indexOf("Old one"));
    for (const shown of ["Main station", "1,200", "All (2)", "Draft (0)", "Live (1)", "Retired (1)"]) {
      expect(all).toContain(shown);
    }
    const live = (await browser.get(`${path}?status=live`)).text;
    expect(live).toContain("Big sign");
    expect(live).not.toContain("Old one");
    expect((await browser.get(`${path}?status=draft`)).text).toContain("No asset is draft here.");
    expect((await browser.get(`${path}?status=nonsense`)).text).toContain("Old one");
  });

  it("has a next page", async () => {
    const { workspace, browser } = await makeMember("viewer");
    const link = await workspace.link();
    for (let index = 0; index < 51; index++) {
      await createAsset(workspace.ctx, { name: `Nr ${index}.`, link: link.id });
    }
    const path = `/app/${workspace.slug}/assets`;
    const first = (await browser.get(path)).text;
    expect(first).toContain("51 assets, page 1 of 2");
    expect(first).not.toContain("Nr 0.");
    expect(first).toContain(`href="${path}?page=2"`);
    const second = (await browser.get(`${path}?page=2`)).text;
    expect(second).toContain("Nr 0.");
    expect(second).toContain(`href="${path}?page=1"`);
  });
});

describe("creating an asset", () => {
  it("uses the link of the previous page, and creates a draft", async () => {
    const { workspace, browser } = await makeMember("editor");
    const link = await workspace.link({ slug: `Summer-${crypto.randomUUID().slice(0, 8)}` });
    const path = `/app/${workspace.slug}/assets/new`;
    const form = await browser.get(`${path}?link=${link.id}`);
    expect(form.text).toContain(`value="${link.slug}"`);
    const made = await browser.post(path, {
      link: link.slug.toUpperCase(),
      name: "Poster at the station",
      kind: "poster",
      place: "Platform 3",
      quantity: "12",
    });
    expect(made.status).toBe(303);
    const [asset] = await listAssets(workspace.ctx);
    expect(made.location).toBe(`/app/${workspace.slug}/assets/${asset?.id}`);
    expect(asset).toMatchObject({
      name: "Poster at the station",
      kind: "poster",
      status: "draft",
      place: "Platform 3",
      quantity: 12,
      link: { id: link.id, slug: link.slug, status: "active" },
      live_at: null,
    });
    expect((await browser.get(made.location ?? "")).text).toContain("is created, as a draft.");
  });

  it("finds the link by an old slug", async () => {
    const { workspace, browser } = await makeMember("editor");
    const link = await workspace.link();
    await workspace.call("PATCH", `/api/v1/links/${link.id}`, { body: { slug: `${link.slug}-2` } });
    const fields = { link: link.slug, name: "Flyer", kind: "flyer" };
    expect((await browser.post(`/app/${workspace.slug}/assets/new`, fields)).status).toBe(303);
    expect((await listAssets(workspace.ctx))[0]?.link.id).toBe(link.id);
  });

  it("is refused at the field, with what was typed", async () => {
    const { workspace, browser } = await makeMember("editor");
    const foreign = await (await makeWorkspace()).link();
    const deleted = await workspace.link();
    await workspace.call("DELETE", `/api/v1/links/${deleted.id}`);
    const path = `/app/${workspace.slug}/assets/new`;
    for (const link of [foreign.slug, foreign.id, deleted.slug, deleted.id, "no-such-link"]) {
      const page = await browser.post(path, { link, name: "Sign", kind: "signage" });
      expect([link, page.status]).toEqual([link, 422]);
      expect(page.text).toContain(
        '<p class="refused" id="link-refusal">No link of this workspace has this slug or ID.</p>',
      );
      expect(page.text).toContain('value="Sign"');
      expect(page.text).toContain('<option value="signage" selected="">');
    }
    const wrong = await browser.post(path, { link: "", name: "", kind: "car", quantity: "0" });
    expect(wrong.status).toBe(422);
    for (const sentence of [
      "The link field is required.",
      "The name field is required.",
      "The selected kind is invalid.",
      "The quantity field must be between 1 and 100000000.",
    ]) {
      expect(wrong.text).toContain(sentence);
    }
    expect(await listAssets(workspace.ctx)).toEqual([]);
    for (const id of [foreign.id, UNKNOWN, "x"]) {
      expect((await browser.get(`${path}?link=${id}`)).status).toBe(200);
    }
  });
});

describe("an asset's page", () => {
  const pathOf = (ws: TestWorkspace, { id }: Asset) => `/app/${ws.slug}/assets/${id}`;

  it("shows its link, its QR code and the downloads", async () => {
    const { workspace, browser } = await makeMember("viewer");
    const asset = await poster(workspace);
    const { text } = await browser.get(pathOf(workspace, asset));
    const qr = `/app/${workspace.slug}/links/${asset.link.id}/qr`;
    expect(text).toContain(`https://s.example/${asset.link.slug}</a>`);
    expect(text).toContain(`src="${qr}"`);
    expect(text).toContain(`href="${qr}?format=svg&amp;download=1"`);
    expect(text).toContain(`href="${qr}?format=png&amp;size=2048&amp;download=1"`);
    for (const file of [qr, `${qr}?format=svg&download=1`, `${qr}?format=png&size=2048&download=1`]) {
      expect([file, (await browser.get(file)).status]).toEqual([file, 200]);
    }
  });

  it("has no code for an archived or deleted link, and says why", async () => {
    const { workspace, browser } = await makeMember("editor");
    const asset = await poster(workspace);
    await workspace.call("PATCH", `/api/v1/links/${asset.link.id}`, { body: { status: "archived" } });
    const archived = (await browser.get(pathOf(workspace, asset))).text;
    expect(archived).toContain("The link is archived");
    expect(archived).not.toContain("<img");
    await workspace.call("DELETE", `/api/v1/links/${asset.link.id}`);
    const deleted = (await browser.get(pathOf(workspace, asset))).text;
    expect(deleted).toContain("is deleted: what was printed leads nowhere.");
    expect(deleted).toContain("it cannot go live");
    expect(deleted).not.toContain("Make it live");
    const live = await browser.post(`${pathOf(workspace, asset)}/status`, { status: "live" });
    expect(live.status).toBe(422);
    expect(live.text).toContain("The link of this Offline Engagement asset is deleted: it cannot go live.");
  });

  it("makes it live, says that this protects its link, and stores the first time", async () => {
    const { workspace, browser } = await makeMember("editor");
    const asset = await poster(workspace);
    const path = pathOf(workspace, asset);
    const draft = (await browser.get(path)).text;
    expect(draft).toContain("While it is live, its link cannot be deleted.");
    expect(draft).toContain("<strong>0</strong> by people");
    const move = (status: string) => browser.post(`${path}/status`, { status });
    expect([(await move("live")).status, (await getAsset(workspace.ctx, asset.id)).status]).toEqual([
      303,
      "live",
    ]);
    const { live_at: liveAt } = await getAsset(workspace.ctx, asset.id);
    expect(Date.parse(liveAt ?? "")).toBeGreaterThanOrEqual(Date.parse(asset.created_at));
    expect((await browser.get(path)).text).toContain("is live: its link cannot be deleted now.");
    expect((await workspace.call("DELETE", `/api/v1/links/${asset.link.id}`)).status).toBe(422);

    await move("retired");
    const retired = (await browser.get(path)).text;
    expect(retired).toContain("is retired: its link may be deleted now");
    expect(retired).toContain("Make it live again");
    await move("live");
    expect(await getAsset(workspace.ctx, asset.id)).toMatchObject({ status: "live", live_at: liveAt });
  });

  it("does not make a draft of what was live", async () => {
    const { workspace, browser } = await makeMember("editor");
    const asset = await poster(workspace, { status: "live" });
    const path = `${pathOf(workspace, asset)}/status`;
    const page = await browser.post(path, { status: "draft" });
    expect(page.status).toBe(422);
    expect(page.text).toContain("An Offline Engagement asset cannot go from live to draft.");
    expect((await browser.post(path, { status: "" })).status).toBe(422);
    expect((await browser.post(path, {})).status).toBe(422);
    expect(await getAsset(workspace.ctx, asset.id)).toEqual(asset);
  });

  it("edits the asset, and clears emptied fields", async () => {
    const { workspace, browser } = await makeMember("editor");
    const asset = await poster(workspace, { place: "Hall", quantity: 3 });
    const path = pathOf(workspace, asset);
    const refused = await browser.post(path, { name: "Sign", kind: "signage", place: "x", quantity: "many" });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain("The quantity field must be an integer.");
    expect(refused.text).toContain('value="many"');
    const saved = await browser.post(path, {
      name: "Sign",
      kind: "signage",
      place: "",
      quantity: "",
      status: "live",
    });
    expect([saved.status, saved.location]).toEqual([303, path]);
    const { updated_at: _, ...rest } = asset;
    expect(await getAsset(workspace.ctx, asset.id)).toMatchObject({
      ...rest,
      name: "Sign",
      kind: "signage",
      place: null,
      quantity: null,
    });
  });

  it("counts its scans, by day and by hour, apart from the clicks of its link", async () => {
    const { workspace, browser } = await makeMember("viewer");
    const asset = await poster(workspace, { status: "live" });
    const at = new Date(Date.now() - 2 * DAY_MS).setUTCHours(15);
    await scan(workspace, asset.id, at, { people: 30, bots: 2 });
    await scan(workspace, asset.id, at - DAY_MS, { people: 4, late: 6 });
    await click(workspace, asset.link.id, at, { people: 1_000, scans: 99 });
    const { text } = await browser.get(pathOf(workspace, asset));
    expect(text).toContain("<strong>34</strong> by people");
    expect(text).toContain("<strong>6</strong> after the link’s end");
    expect(text).toContain("<strong>2</strong> by bots and previews");
    expect(text).toContain("Scans by day: 34 scans in 4 days, at most 30 a day");
    expect(text).toContain("34 scans in 24 hours");
    expect(text).toContain("<title>15:00: 34 scans</title>");
    expect(text).toContain("it may still hang");
    expect(text).not.toContain("1,000");
    expect(text).not.toContain("What was printed before");
  });

  it("shows the last ninety days of an asset that has been scanned for years", async () => {
    const { workspace, browser } = await makeMember("viewer");
    const asset = await poster(workspace, { status: "live" });
    await scan(workspace, asset.id, Date.now() - 700 * DAY_MS, { people: 7 });
    const { text } = await browser.get(pathOf(workspace, asset));
    expect(text).toContain("<strong>7</strong> by people");
    expect(text).toContain("0 scans in 90 days");
  });

  it("says of an asset that was live before it had a code where its visits are counted", async () => {
    const { workspace, browser } = await makeMember("viewer");
    const asset = await poster(workspace, { status: "live" });
    await env.DB.prepare("update offline_assets set live_at = ? where public_id = ?")
      .bind(Date.now() - 50 * DAY_MS, asset.id)
      .run();
    const note = "What was printed before has the code of its link.";
    const { text } = await browser.get(pathOf(workspace, asset));
    expect(text).toContain("It has had its own code since");
    expect(text).toContain(note);
    expect(text).toContain(`href="/app/${workspace.slug}/links/${asset.link.id}">clicks of the link</a>`);
    await env.DB.prepare("delete from slugs where asset = ?").bind(asset.id).run();
    const without = (await browser.get(pathOf(workspace, asset))).text;
    expect(without).toContain("It has no code yet: it gets one within a day.");
    expect(without).toContain(note);
  });
});

describe("assets of the web application", () => {
  it("are read-only for a viewer", async () => {
    const { workspace, browser } = await makeMember("viewer");
    const asset = await poster(workspace);
    const path = `/app/${workspace.slug}/assets`;
    expect((await browser.get(`${path}/new`)).status).toBe(403);
    for (const to of [`${path}/new`, `${path}/${asset.id}`, `${path}/${asset.id}/status`]) {
      expect([to, (await browser.post(to, { status: "live", name: "X" })).status]).toEqual([to, 403]);
    }
    const page = await browser.get(`${path}/${asset.id}`);
    expect(page.status).toBe(200);
    expect(page.text).not.toContain("Make it live");
    expect(await listAssets(workspace.ctx)).toEqual([asset]);
  });

  it("of another workspace are not found", async () => {
    const { workspace, browser } = await makeMember();
    const other = await makeWorkspace();
    const asset = await poster(other);
    for (const id of [asset.id, UNKNOWN, "poster"]) {
      const path = `/app/${workspace.slug}/assets/${id}`;
      expect((await browser.get(path)).status).toBe(404);
      expect((await browser.post(path, { name: "Mine", kind: "other" })).status).toBe(404);
      expect((await browser.post(`${path}/status`, { status: "live" })).status).toBe(404);
    }
    expect(await listAssets(other.ctx)).toEqual([asset]);
  });

  it("show what people typed as text", async () => {
    const { workspace, browser } = await makeMember();
    const hostile = `"><img src=x onerror=alert(1)>\u202e${"🦊".repeat(20)}`;
    const asset = await poster(workspace, { name: hostile, place: hostile });
    for (const path of ["", `/${asset.id}`]) {
      const { text } = await browser.get(`/app/${workspace.slug}/assets${path}`);
      expect(text).not.toContain("<img src=x");
      expect(text).toContain("&lt;img src=x onerror=alert(1)&gt;");
    }
  });

  it("go live once if two people do it at once, and keep their history", async () => {
    const workspace = await makeWorkspace();
    const asset = await poster(workspace);
    const move = (status: "live" | "retired") => updateAsset(workspace.ctx, asset.id, { status });
    await Promise.all([move("live"), move("live")]);
    await move("retired");
    const { results } = await env.DB.prepare(
      "select action, before ->> 'status' as status, change ->> 'status' as next from audit_log where subject = ? order by id",
    )
      .bind(asset.id)
      .all();
    expect(results).toEqual([
      { action: "asset.create", status: null, next: null },
      { action: "asset.update", status: "draft", next: "live" },
      { action: "asset.update", status: "live", next: "retired" },
    ]);
  });

  it("take at most three round trips a page", async () => {
    const { workspace, browser } = await makeMember();
    const asset = await poster(workspace, { status: "live" });
    const path = `/app/${workspace.slug}/assets`;
    const trips = async (ask: (environment: ReturnType<typeof counted>["env"]) => Promise<unknown>) => {
      const { env, trips } = counted();
      await ask(env);
      return trips.d1;
    };
    expect(await trips((env) => browser.get(path, {}, env))).toBe(2);
    expect(await trips((env) => browser.get(`${path}/new?link=${asset.link.id}`, {}, env))).toBe(2);
    expect(await trips((env) => browser.get(`${path}/${asset.id}`, {}, env))).toBe(3);
    const made = { link: asset.link.slug, name: "Flyer", kind: "flyer" };
    expect(await trips((env) => browser.post(`${path}/new`, made, {}, env))).toBe(3);
    const edited = { name: "Sign", kind: "signage" };
    expect(await trips((env) => browser.post(`${path}/${asset.id}`, edited, {}, env))).toBe(3);
    const retired = { status: "retired" };
    expect(await trips((env) => browser.post(`${path}/${asset.id}/status`, retired, {}, env))).toBe(3);
    const refused = await trips((env) =>
      browser.post(`${path}/${asset.id}`, { name: "", kind: "other" }, {}, env),
    );
    expect(refused).toBe(2);
    const back = await trips((env) =>
      browser.post(`${path}/${asset.id}/status`, { status: "draft" }, {}, env),
    );
    expect(back).toBe(3);
  });
});
