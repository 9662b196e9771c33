import { describe, expect, it } from "vitest";
import { createApiKey, revokeApiKey } from "../../../src/access/keys";
import type { WorkspaceContext } from "../../../src/context";
import { toRange } from "../../../src/lib/range";
import { DAY_MS } from "../../../src/lib/time";
import { takeDown } from "../../../src/operations/moderation/takedown";
import { createAsset } from "../../../src/resources/engagement/asset-service";
import { updateAsset } from "../../../src/resources/engagement/update-asset";
import { checkFile } from "../../../src/resources/imports/check-file";
import { continueImport } from "../../../src/resources/imports/continue-import";
import { deleteLink } from "../../../src/resources/links/delete-link";
import { type AttentionKind, getOverview, MAX_COUNTED } from "../../../src/resources/overview/overview";
import { selectLinkCounts } from "../../../src/resources/overview/overview-repository";
import { scan } from "../../console/clicks";
import { makeWorkspace, type TestWorkspace } from "../../harness";
import { runSql } from "../../sql";

/** The overview after some days, in which nothing else happened. */
async function overviewIn(ws: TestWorkspace, days: number, { seesKeys = true, asks = false } = {}) {
  const now = Date.now() + days * DAY_MS;
  const ctx: WorkspaceContext = {
    ...ws.ctx,
    now: () => now,
    config: { ...ws.ctx.config, healthCheck: asks },
  };
  return getOverview(ctx, toRange({ last: "7" }, "UTC", now, 0), { seesKeys });
}

const attentionIn = async (
  ws: TestWorkspace,
  days: number,
  options?: { seesKeys?: boolean; asks?: boolean },
) => (await overviewIn(ws, days, options)).attention;

const namesOf = async (ws: TestWorkspace, kind: AttentionKind, days = 0, asks = false) =>
  (await attentionIn(ws, days, { asks })).find((one) => one.kind === kind)?.named.map(({ name }) => name) ??
  [];

describe("the links in numbers", () => {
  it("are the active ones now, and those of them that were created in the range and in the range before", async () => {
    const ws = await makeWorkspace();
    await ws.link();
    const archived = await ws.link();
    await ws.call("PATCH", `/api/v1/links/${archived.id}`, { body: { status: "archived" } });
    await deleteLink(ws.ctx, (await ws.link()).id);
    expect((await overviewIn(ws, 0)).links).toEqual({
      active: 1,
      archived: 1,
      created: 1,
      created_before: 0,
    });
    expect((await overviewIn(ws, 7)).links).toMatchObject({ created: 0, created_before: 1 });
    // A week ago at this hour they were not created yet.
    expect((await overviewIn(ws, 7 - 1 / 12)).links).toMatchObject({ created_before: 0 });
    expect((await overviewIn(ws, 14)).links).toMatchObject({ created: 0, created_before: 0 });
    await (await makeWorkspace()).link();
    expect((await overviewIn(ws, 0)).links.created).toBe(1);
  });

  it("are counted up to a limit", async () => {
    const ws = await makeWorkspace();
    for (let made = 0; made < 3; made++) await ws.link();
    const all = { from: 0, to: Date.now() + DAY_MS };
    const [[counts]] = await ws.ctx.db.read(selectLinkCounts(ws.ctx.workspace.rowId, all, all, 2));
    expect(counts).toEqual({ active: 3, archived: 0, created: 2, created_before: 2 });
  });
});

describe("what needs attention", () => {
  it("is a link that was taken down", async () => {
    const ws = await makeWorkspace();
    await takeDown(ws.ctx, (await ws.link({ title: "Shop" })).id);
    await takeDown(ws.ctx, (await ws.link({ slug: `s-${ws.slug}` })).id);
    expect(await namesOf(ws, "taken_down")).toEqual([`s-${ws.slug}`, "Shop"]);
    expect(await attentionIn(await makeWorkspace(), 0)).toEqual([]);
  });

  it("is a link with a broken destination, while destinations are asked", async () => {
    const ws = await makeWorkspace();
    const other = await makeWorkspace();
    const url = `https://${ws.slug}.example/`;
    await ws.link({ title: "Broken", destination_url: url });
    await ws.link({ title: "Good" });
    await runSql`insert into destination_health (url, host, domain, due_at, state)
      values (${url}, 'h', 'h', 0, 'broken')`;
    expect(await namesOf(ws, "broken", 0, true)).toEqual(["Broken"]);
    expect(await namesOf(ws, "broken", 0, false)).toEqual([]);
    expect(await namesOf(other, "broken", 0, true)).toEqual([]);
  });

  it("is a live asset that nobody has scanned for fourteen days", async () => {
    const ws = await makeWorkspace();
    const { id: link } = await ws.link();
    const make = (name: string, status: "draft" | "live" = "live") =>
      createAsset(ws.ctx, { name, link, status });
    const now = Date.now();
    await make("Silent");
    await make("Draft", "draft");
    const retired = await make("Retired");
    await updateAsset(ws.ctx, retired.id, { status: "retired" });
    await scan(ws, (await make("Scanned")).id, now + 2 * DAY_MS, { scans: 1 });
    await scan(ws, (await make("Scanned after the end")).id, now + 2 * DAY_MS, { after_end: 1 });
    await scan(ws, (await make("Bots only")).id, now + 2 * DAY_MS, { bots: 1 });
    await scan(ws, (await make("Scanned once")).id, now, { scans: 1 });
    expect(await namesOf(ws, "silent_assets", 13)).toEqual([]);
    expect((await namesOf(ws, "silent_assets", 15)).sort()).toEqual(["Bots only", "Scanned once", "Silent"]);
    expect(await namesOf(await makeWorkspace(), "silent_assets", 15)).toEqual([]);
  });

  it("is an import that is not finished and has a row that creates or changes a link", async () => {
    const ws = await makeWorkspace();
    const check = async (name: string, ...urls: string[]) => {
      const rows = urls.length === 0 ? [`https://www.example.com/${name}`] : urls;
      const bytes = new TextEncoder().encode(`url\n${rows.join("\n")}\n`);
      const found = await checkFile(ws.ctx, { name, bytes });
      return "id" in found ? found.id : "";
    };
    await check("waits.csv");
    await check("partly.csv", "nonsense", "https://www.example.com/partly");
    await check("dead.csv", "nonsense", "nonsense");
    await continueImport(ws.ctx, await check("done.csv"));
    const bytes = new TextEncoder().encode(`slug\n${(await ws.link()).slug}\n`);
    await checkFile(ws.ctx, { name: "same.csv", bytes }, { updates: true });
    expect(await namesOf(ws, "imports")).toEqual(["partly.csv", "waits.csv"]);
  });

  it("is a key that expires within seven days, for those who may see keys", async () => {
    const ws = await makeWorkspace();
    const make = (name: string, days: number) =>
      createApiKey(ws.ctx, { name, expires_at: Date.now() + days * DAY_MS });
    await make("In six days", 6);
    await make("In two days", 2);
    await make("In eight days", 8);
    await revokeApiKey(ws.ctx, (await make("Revoked", 5)).id);
    expect(await namesOf(ws, "keys")).toEqual(["In two days", "In six days"]);
    expect(await namesOf(ws, "keys", 3)).toEqual(["In six days", "In eight days"]);
    expect(await attentionIn(ws, 0, { seesKeys: false })).toEqual([]);
  });

  it("names three of a kind, and counts up to a hundred", async () => {
    const ws = await makeWorkspace();
    const name = (index: number) => `Group ${String(index).padStart(3, "0")}`;
    const make = (count: number, from = 0) =>
      Promise.all(
        Array.from({ length: count }, (_, index) =>
          ws.group({
            name: name(from + index),
            status: "active",
            ends_at: Date.now() - (from + index) * DAY_MS - DAY_MS,
          }),
        ),
      );
    await make(4);
    const [four] = await attentionIn(ws, 0);
    expect(four).toMatchObject({ kind: "past_end", total: 4, isMore: false });
    expect(four?.named.map((one) => one.name)).toEqual([name(0), name(1), name(2)]);
    await make(MAX_COUNTED - 4, 4);
    expect((await attentionIn(ws, 0))[0]).toMatchObject({ total: MAX_COUNTED, isMore: false });
    await make(1, MAX_COUNTED);
    expect((await attentionIn(ws, 0))[0]).toMatchObject({ total: MAX_COUNTED, isMore: true });
  });
});
