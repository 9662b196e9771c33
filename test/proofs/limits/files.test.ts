import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DAY_MS, isoTime } from "../../../src/lib/time";
import { MAX_EXPORTED_LINKS } from "../../../src/resources/links/export";
import { type Browser, makeMember } from "../../console/browser";
import { testEnv } from "../../harness";
import { metered } from "../../metered";

/** The free plan allows 50 statements an invocation. */
const MAX_STATEMENTS = 40;
const LINKS = 6_000;
/** As many as are counted. */
const VISITED = 2_000;
const TODAY = Date.now() - (Date.now() % DAY_MS);
const dateBefore = (days: number): string => isoTime(TODAY - days * DAY_MS).slice(0, 10);

const run = async (sql: string): Promise<void> => {
  await testEnv.DB.prepare(sql).run();
};

/** Inserts links as an import would, in a fraction of its time, with visits on two days. */
async function insertVisitedLinks(workspace: number, group: string): Promise<void> {
  await run(`with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n < ${LINKS - 1})
    insert into links (public_id, workspace_id, slug, slug_key, destination_url, destination_key, destination_host,
      utm_campaign_origin, activity_group_id, last_counted_hour, created_at, created_by, updated_at)
    select printf('01JZ%010d%012d', ${workspace}, n), ${workspace}, 'many-' || n, 'many-' || n,
      'https://www.example.com/' || n, 'https://www.example.com/' || n, 'www.example.com', 'inherited',
      (select id from activity_groups where public_id = '${group}'), iif(n < ${VISITED}, ${TODAY}, null), n, 'operator', n from numbers`);
  await run(`insert into visit_hours (workspace_id, owner_kind, owner_id, hour, clicks, scans, bots, after_end)
    select workspace_id, 'link', links.id, ${TODAY} - days.value * ${DAY_MS}, 1, 0, 2, 0
    from links, json_each('[0,1]') as days where workspace_id = ${workspace} and last_counted_hour is not null`);
  await run(`update workspaces set active_links = ${LINKS} where id = ${workspace}`);
}

async function deleteLinks(workspace: number): Promise<void> {
  await run(`delete from visit_hours where workspace_id = ${workspace}`);
  await run(`delete from links where workspace_id = ${workspace}`);
  await run(`update workspaces set active_links = 0 where id = ${workspace}`);
}

describe(`in a workspace with ${LINKS} links in one Activity Group, a file takes few statements:`, () => {
  let browser: Browser;
  let path: string;
  let group: string;
  let workspace: number;

  beforeAll(async () => {
    const member = await makeMember("editor");
    browser = member.browser;
    path = `/app/${member.workspace.slug}`;
    workspace = member.workspace.ctx.workspace.rowId;
    group = (await member.workspace.group()).id;
    await insertVisitedLinks(workspace, group);
  });

  afterAll(() => deleteLinks(workspace));

  /** The slugs of a file, in its order. */
  async function download(file: string, column: number) {
    const { db, rows } = metered(testEnv.DB);
    const { status, headers, text } = await browser.get(path + file, undefined, { ...testEnv, DB: db });
    expect(status).toBe(200);
    expect(rows.statements).toBeLessThanOrEqual(MAX_STATEMENTS);
    const slugs = text
      .trimEnd()
      .split("\r\n")
      .slice(1)
      .map((line) => line.split(",")[column]);
    return { slugs, name: headers.get("content-disposition"), text };
  }

  it("the clicks of a group by day, each day of each link once", async () => {
    const { slugs, text } = await download(
      `/groups/${group}/clicks.csv?from=${dateBefore(1)}&to=${dateBefore(0)}`,
      1,
    );
    expect(slugs).toHaveLength(2 * VISITED);
    expect(new Set(text.trimEnd().split("\r\n")).size).toBe(2 * VISITED + 1);
    expect(new Set(slugs).size).toBe(VISITED);
  });

  it("the export of all links", async () => {
    const { slugs } = await download("/export.csv", 0);
    expect(new Set(slugs).size).toBe(LINKS);
    expect(slugs).toHaveLength(LINKS);
  });

  it.each(["", "?sort=title", "?channel=&status=all"])(
    "the list of links %s, whose page and name say that it has the first 5,000",
    async (query) => {
      const { slugs, name } = await download(`/links/list.csv${query}`, 0);
      expect(slugs).toHaveLength(MAX_EXPORTED_LINKS);
      expect(new Set(slugs).size).toBe(MAX_EXPORTED_LINKS);
      expect(name).toContain("-list-first-5000-");
      const { text } = await browser.get(`${path}/links${query}`);
      expect(text).toContain("Export the first 5,000 links</a>");
      expect(text).toContain("The export of all results has the first 5,000.");
    },
  );

  it.each(["origins.csv?last=365", "links.csv?last=365"])("%s of the group", async (file) => {
    await download(`/groups/${group}/${file}`, 0);
  });

  it("but with more visited links the files of links and the page say that these are not counted", async () => {
    await run(`update links set last_counted_hour = ${TODAY} where workspace_id = ${workspace} and last_counted_hour is null
      and id = (select max(id) from links where workspace_id = ${workspace})`);
    const reason = "More than 2,000 links of the group were visited since this range began";
    for (const file of ["clicks.csv", "links.csv", "origins.csv"]) {
      const { text } = await download(`/groups/${group}/${file}`, 0);
      expect(text.includes(reason) && text.includes("–")).toBe(file !== "origins.csv");
    }
    const { text } = await browser.get(`${path}/groups/${group}`);
    expect(text).toContain(reason);
    expect(text).toContain("Export day by day, in UTC, at most a year:");
  });
});
