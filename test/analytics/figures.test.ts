import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { reportClicks } from "../../src/analytics/command-report";
import { exportLinkDays } from "../../src/analytics/group-export";
import { reportGroupLinks } from "../../src/analytics/group-report";
import { listTopGroups } from "../../src/analytics/rankings";
import { reportTagVisits, reportVisits } from "../../src/analytics/report";
import { sumVisits, sumVisitsOfTags } from "../../src/analytics/visits-by-owner";
import { type Visit, writeVisits } from "../../src/analytics/write-visits";
import { rangeOfDays } from "../../src/lib/range";
import { DAY_MS, HOUR_MS } from "../../src/lib/time";
import { updateWorkspace } from "../../src/resources/workspaces/workspace-service";
import { makeWorkspace, type TestWorkspace, testEnv } from "../harness";
import { selectRows } from "../sql";

// Every figure that is shown twice is the number of single visits, in a workspace of more links than a report looks at once.

const LINKS = 2_100;
const GROUPS = 7;
const TAGS = 5;
const TODAY = Math.floor(Date.now() / DAY_MS);
const AGENT = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Mobile/15E148 Safari/604.1";
const ZONE = "Asia/Tokyo";
const WEEK = rangeOfDays(ZONE, TODAY - 6, TODAY);
const YESTERDAY = rangeOfDays(ZONE, TODAY - 2, TODAY - 1);

const idOf = (link: number): string => `01JZFGVRES${String(link).padStart(16, "0")}`;

describe(`in a workspace of ${LINKS} links`, () => {
  let ws: TestWorkspace;
  const groups: string[] = [];
  const tags: string[] = [];
  const visits: Visit[] = [];

  beforeAll(async () => {
    ws = await makeWorkspace();
    await updateWorkspace(ws.ctx, { time_zone: ZONE });
    const { rowId } = ws.ctx.workspace;
    for (let made = 0; made < GROUPS; made++) groups.push((await ws.group()).id);
    for (let made = 0; made < TAGS; made++) tags.push((await ws.tag()).id);
    const numbers = `with recursive numbers (n) as (select 0 union all select n + 1 from numbers where n < ${LINKS - 1})`;
    const statements = [
      `insert into links (public_id, workspace_id, slug, slug_key, destination_url, destination_key, destination_host,
        utm_campaign_origin, activity_group_id, created_at, created_by, updated_at)
        ${numbers} select printf('01JZFGVRES%016d', n), ${rowId}, 'f${rowId}-' || n, 'f${rowId}-' || n, 'https://a.example/', 'a',
          'a.example', 'explicit', (select json_group_array(id) from activity_groups where workspace_id = ${rowId}) ->> (n % ${GROUPS}),
          0, 'operator', 0 from numbers`,
      `insert into activity_group_items (workspace_id, link_id, activity_group_id, role, started_at)
        select workspace_id, id, activity_group_id, 'primary', 0 from links where workspace_id = ${rowId}`,
      `insert into link_tags (workspace_id, link_id, tag_id, link_public_id)
        select links.workspace_id, links.id, tags.id, links.public_id from links, tags
        where links.workspace_id = ${rowId} and tags.workspace_id = ${rowId} and (links.id + tags.id) % 3 = 0`,
    ];
    for (const statement of statements) await testEnv.DB.prepare(statement).run();
    // All but the last hundred and one links are visited, some of them often.
    for (let visit = 0; visit < 6_000; visit++) {
      const link = visit < 1_999 ? visit : (visit * 7_919) % 1_999;
      const at = TODAY * DAY_MS - ((visit * 13) % (8 * 24)) * HOUR_MS + 9 * HOUR_MS;
      visits.push({
        ...{ link: idOf(link), asset: null, isAfterEnd: false, rule: null, at, follows: true },
        ...{ agent: AGENT, referrer: null, country: "CH" },
      });
    }
    await writeVisits(ws.ctx, visits);
  });

  // The links were inserted without what a link's creation writes besides.
  afterAll(async () => {
    for (const table of ["link_tags", "activity_group_items", "links"])
      await testEnv.DB.prepare(`delete from ${table} where workspace_id = ?`)
        .bind(ws.ctx.workspace.rowId)
        .run();
  });

  /** The links whose visits count, recounted from single visits. */
  const recount = (range: typeof WEEK, isIn: (link: number) => boolean): number =>
    visits.filter(({ link, at }) => at >= range.from && at < range.to && isIn(Number(link.slice(10)))).length;

  it.each([
    ["a week", WEEK],
    ["a day", YESTERDAY],
  ])("list, page, overview, file and command agree with single visits: %s", async (_, range) => {
    const { ctx } = ws;
    const listed = await sumVisits(ctx, "group", groups, range);
    const top = new Map((await listTopGroups(ctx, range, GROUPS)).map(({ id, visits: sum }) => [id, sum]));
    for (const [index, group] of groups.entries()) {
      const counted = recount(range, (link) => link % GROUPS === index);
      const page = (await reportVisits(ctx, { group }, range, { compare: false })).totals.clicks;
      const links = (await reportGroupLinks(ctx, group, range))?.links ?? [];
      const command = (await reportClicks(ctx, { group }, range)).totals.clicks;
      let file = 0;
      for await (const days of (await exportLinkDays(ctx, group, range)) ?? [])
        file += days.reduce((sum, { clicks }) => sum + clicks, 0);
      expect([
        listed.get(group),
        page,
        top.get(group),
        links.reduce((sum, { clicks }) => sum + clicks, 0),
        file,
        command,
      ]).toEqual(Array(6).fill(counted));
    }
    const all = (await reportVisits(ctx, { workspace: true }, range, { compare: false })).totals.clicks;
    expect(all).toBe(recount(range, () => true));
    const ofTags = await sumVisitsOfTags(ctx, range);
    const results = await selectRows<
      Record<"tag" | "link", string>
    >`select tags.public_id as tag, links.public_id as link
      from link_tags join tags on tags.id = tag_id join links on links.id = link_id
      where link_tags.workspace_id = ${ws}`;
    for (const tag of tags) {
      const own = new Set(results.filter((row) => row.tag === tag).map(({ link }) => link));
      const counted = recount(range, (link) => own.has(idOf(link)));
      const page = await reportTagVisits(ctx, tag, range, { compare: false });
      expect([ofTags?.get(tag), page?.totals.clicks]).toEqual([counted, counted]);
    }
  });

  it("above 2,000 visited links the figures of tags are absent in list and page", async () => {
    const late = [1_999, 2_000].map((link): Visit => ({ ...(visits[0] as Visit), link: idOf(link) }));
    await writeVisits(ws.ctx, late);
    expect(await sumVisitsOfTags(ws.ctx, WEEK)).toBeNull();
    expect(await reportTagVisits(ws.ctx, tags[0] ?? "", WEEK, { compare: false })).toBeNull();
  });
});
