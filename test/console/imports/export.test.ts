import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { updateActivityGroup } from "../../../src/resources/activity-groups/manage-groups";
import { counted, type TestWorkspace, testEnv, visit } from "../../harness";
import { logged } from "../../log";
import { type Browser, makeMember } from "../browser";
import { stateOf } from "../import-state";
import { linkAt } from "../state";
import { checkedAt, DESTINATION, goOn, show } from "./helpers";

const exported = async (browser: Browser, workspace: TestWorkspace): Promise<string> =>
  (await browser.get(`/app/${workspace.slug}/export.csv`)).text;

async function imported(browser: Browser, workspace: TestWorkspace, csv: string): Promise<void> {
  const at = await checkedAt(browser, workspace, csv);
  expect(await show(browser, at)).not.toContain("ignored");
  await goOn(browser, at);
}

/** Inserts links as an import would, in a fraction of its time. */
async function insertLinks(workspace: TestWorkspace, count: number): Promise<void> {
  const id = workspace.ctx.workspace.rowId;
  const statements = [
    `with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n < ${count - 1})
      insert into links (public_id, workspace_id, slug, slug_key, destination_url, destination_key, destination_host,
        utm_campaign_origin, created_at, created_by, updated_at)
      select printf('01JZ%010d%012d', ${id}, n), ${id}, '${workspace.slug}-' || n, '${workspace.slug}-' || n,
        '${DESTINATION}' || n, '${DESTINATION}' || n, 'www.example.com', 'inherited', n, 'operator', n from numbers`,
    `insert into slugs (key, workspace_id, link_id, created_at)
      select slug_key, workspace_id, id, 0 from links where workspace_id = ${id}`,
    `update workspaces set active_links = ${count} where id = ${id}`,
  ];
  await env.DB.batch(statements.map((statement) => env.DB.prepare(statement)));
}

/** A slug belongs to one workspace for ever. */
const comparable = (csv: string, prefix: string): string => csv.replaceAll(prefix, "");

describe("the export of a workspace", () => {
  it("imports to the same links in another workspace", async () => {
    const { workspace, browser } = await makeMember();
    const there = await makeMember();
    const groups = await Promise.all(
      [workspace, there.workspace].map((one) =>
        one.group({ name: "Fair", slug: "fair", default_utm_campaign: "fair_2025" }),
      ),
    );
    const [a, b] = ["xa-", "xb-"].map((start) => `${start}${crypto.randomUUID().slice(0, 8)}-`);
    if (a === undefined || b === undefined) throw new Error();
    const nasty = '=HYPERLINK("x") \'=1, <b>é</b> 🎉';
    const tags = await Promise.all(
      ["Plain", "with, comma; and | bar", 'with "quotes"', "-minus", "'=formula"].map((name) =>
        workspace.tag({ name }),
      ),
    );
    const archived = await workspace.link({ slug: `${a}archived`, title: "old", tag_ids: [tags[0]?.id] });
    await workspace.call("PATCH", `/api/v1/links/${archived.id}`, { body: { status: "archived" } });
    await workspace.link({ slug: `${a}bare` });
    await workspace.link({
      slug: `${a}Full`,
      destination_url: `${DESTINATION}?a=1,2&utm_source=x#"y"`,
      title: nasty,
      channel: "+channel",
      utm_source: "@source",
      utm_medium: "-medium",
      utm_campaign: "'=campaign",
      activity_group_id: "fair",
      tag_ids: tags.map(({ id }) => id),
    });
    const renamed = await workspace.link({ slug: `${a}First`, activity_group_id: "fair" });
    for (const slug of [`${a}second`, `${a}inherits`]) {
      await workspace.call("PATCH", `/api/v1/links/${renamed.id}`, { body: { slug } });
    }
    const [own] = groups;
    // An inherited campaign stays the same when the group's default changes.
    await updateActivityGroup(workspace.ctx, own?.id ?? "", { default_utm_campaign: "fair_2026" });

    const csv = await exported(browser, workspace);
    await imported(there.browser, there.workspace, csv.replaceAll(a, b));
    const again = await exported(there.browser, there.workspace);
    expect(comparable(again, b)).toBe(comparable(csv, a));
    expect(again.split("\r\n")).toHaveLength(6);
    expect(await stateOf(there.workspace)).toEqual([]);
    const find = (slug: string) => linkAt(there.workspace, b + slug);
    expect(await find("full")).toMatchObject({
      title: nasty,
      channel: "+channel",
      utm_campaign: "'=campaign",
      slug: `${b}Full`,
    });
    expect(await find("archived")).toMatchObject({ status: "archived" });
    for (const old of ["first", "second"]) {
      const visited = await visit(`/${b}${old}`);
      expect(visited.headers.get("location")).toBe(`${DESTINATION}?utm_campaign=fair_2025`);
    }
  });

  it("opens in a spreadsheet: UTF-8 with a mark, CRLF, and no cell that begins like a formula", async () => {
    const { workspace, browser } = await makeMember();
    const slug = crypto.randomUUID().slice(0, 8);
    await workspace.link({ slug, title: "=1+1", channel: "'-x" });
    const answer = await browser.get(`/app/${workspace.slug}/export.csv`, {});
    expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    const { bytes } = await browser.download(`/app/${workspace.slug}/export.csv`);
    expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    expect(answer.headers.get("content-disposition")).toMatch(
      new RegExp(`^attachment; filename="${workspace.slug}-links-\\d{4}-\\d\\d-\\d\\d.csv"$`),
    );
    expect(answer.text).toMatch(
      new RegExp(
        `^slug,old_slugs,short_url,domain,destination_url,title,channel,status,external_id,utm_source,utm_medium,utm_campaign,utm_campaign_origin,utm_term,utm_content,activity_group,tags,starts_at,ends_at,ended_url,rules,note,preview_title,preview_text,preview_image_url,created_at,clicks_before\r\n${slug},,https://s.example/${slug},s.example,https://www.example.com/,'=1\\+1,''-x,active,,,,,inherited,,,,,,,,,,,,,[^,]+,\r\n$`,
      ),
    );
  });

  it("has one line in the log, with the calls of D1 of the whole file", async () => {
    const { workspace, browser } = await makeMember();
    await workspace.link();
    const { env: own, trips } = counted(testEnv);
    const from = logged.length;
    await browser.get(`/app/${workspace.slug}/export.csv`, {}, own);
    const lines = logged.slice(from).map((line) => JSON.parse(line));
    expect(lines.map(({ route, status, d1_calls: calls }) => ({ route, status, calls }))).toEqual([
      { route: "/app/{workspace}/export.csv", status: 200, calls: trips.d1 },
    ]);
    expect(trips.d1).toBeGreaterThan(1);
  });

  it("of more links than an import accepts is split into smaller files", async () => {
    const { workspace, browser } = await makeMember();
    const page = `/app/${workspace.slug}/import`;
    expect((await browser.get(page)).text).toContain("Download all links");
    await insertLinks(workspace, 10_003);
    const { text } = await browser.get(page);
    const files = [...text.matchAll(/href="([^"]+part=\d)"/g)].map(([, path = ""]) => path);
    expect(files).toEqual([1, 2].map((part) => `/app/${workspace.slug}/export.csv?part=${part}`));
    const parts = [];
    for (const path of files) {
      const answer = await browser.get(path);
      expect(answer.headers.get("content-disposition")).toMatch(/-part-[12]\.csv"$/);
      parts.push(answer.text.trimEnd().split("\r\n").slice(1));
    }
    expect(parts.map((lines) => lines.length)).toEqual([10_000, 3]);
    expect(new Set(parts.flat().map((line) => line.split(",")[4])).size).toBe(10_003);
    const behind = await browser.get(`/app/${workspace.slug}/export.csv?part=3`);
    expect(behind.text.trimEnd().split("\r\n")).toHaveLength(1);
    const whole = await browser.get(`/app/${workspace.slug}/export.csv`);
    expect([whole.status, whole.location]).toEqual([303, page]);
    expect((await browser.get(page)).text).toContain("Export them in parts.");
  });
});
