import { beforeAll, describe, expect, it } from "vitest";
import { exportGroupLinks, listGroupAssets, listQuietLinks } from "../../src/clicks/of-group";
import { sumVisitsOfGroups, sumVisitsOfTags } from "../../src/clicks/sums";
import type { Context } from "../../src/context";
import { createDatabase, type Meter } from "../../src/db/client";
import { type Range, rangeOfDays, toRange } from "../../src/lib/range";
import { DAY_MS } from "../../src/lib/time";
import { makeWorkspace, testEnv } from "../harness";

// The rows that the statements for groups and tags read, in groups of different sizes.

const DAYS = 5;
const TAGS = 3;
const SMALL = 1_200;
const BIG = 2_400;

/** A workspace with a group of so many links, each with visits on five days, three tags and an asset. */
async function fillGroup(links: number) {
  const workspace = await makeWorkspace({ linkLimit: links });
  const { rowId } = workspace.ctx.workspace;
  const group = await workspace.group();
  for (let made = 0; made < TAGS; made++) await workspace.tag();
  const today = Date.now() - (Date.now() % DAY_MS);
  const numbers = `with recursive numbers (number) as (select 100000 union all select number + 1 from numbers where number < ${99_999 + links})`;
  const own = `from links where workspace_id = ${rowId}`;
  await testEnv.DB.batch(
    [
      `insert into links (public_id, workspace_id, slug, slug_key, destination_url, destination_key, destination_host, utm_campaign_origin, activity_group_id, clicks, created_at, updated_at)
        ${numbers} select '01JZ8Q4V6T3K9M2N5P7R' || number, ${rowId}, 'b${rowId}-' || number, 'b${rowId}-' || number, 'https://www.example.com/', 'x', 'x', 'explicit',
          (select id from activity_groups where workspace_id = ${rowId}), number - 99999, 0, 0 from numbers`,
      `insert into click_hours (workspace_id, link_id, hour, people, bots)
        select workspace_id, links.id, ${today} - value * ${DAY_MS}, 1, 0 from links, json_each('[0,1,2,3,4]') where workspace_id = ${rowId}`,
      `insert into link_days (workspace_id, link_id, day, visits)
        select workspace_id, links.id, ${today} - value * ${DAY_MS}, 1 from links, json_each('[0,1,2,3,4]') where workspace_id = ${rowId}`,
      `insert into link_tags (workspace_id, link_id, tag_id, link_public_id)
        select links.workspace_id, links.id, tags.id, links.public_id from links, tags
        where links.workspace_id = ${rowId} and tags.workspace_id = ${rowId}`,
      `insert into offline_assets (public_id, workspace_id, link_id, name, kind, status, created_at, updated_at)
        select replace(public_id, '01JZ', '01KZ'), workspace_id, id, 'a', 'other', 'draft', 0, 0 ${own}`,
    ].map((statement) => testEnv.DB.prepare(statement)),
  );
  return { workspace, group };
}

const cleanUp = async (rowId: number) => {
  const tables = ["offline_assets", "link_tags", "link_days", "click_hours", "links"];
  await testEnv.DB.batch(
    tables.map((table) => testEnv.DB.prepare(`delete from ${table} where workspace_id = ${rowId}`)),
  );
};

const READS: [string, (ctx: Context, group: string, range: Range) => Promise<unknown>, number][] = [
  [
    "a page of quiet links",
    (ctx, group, range) => listQuietLinks(ctx, group, range, { limit: 25, offset: 0 }),
    6_000,
  ],
  ["the export of its links", exportGroupLinks, 10_000],
  ["its assets", (ctx, group, range) => listGroupAssets(ctx, group, range, 50), 6_000],
  ["the sums of all tags", (ctx, _, range) => sumVisitsOfTags(ctx, range), 50_000],
  ["the sums of all groups", (ctx, _, range) => sumVisitsOfGroups(ctx, range), 50_000],
  [
    "the sums of all tags in another time zone",
    (ctx, _, { firstDay, lastDay }) => sumVisitsOfTags(ctx, rangeOfDays("Asia/Tokyo", firstDay, lastDay - 1)),
    50_000,
  ],
];

describe("in a group with links without limit", () => {
  const read = new Map<string, number[]>();
  const exported: unknown[] = [];

  beforeAll(async () => {
    for (const links of [SMALL, BIG]) {
      const { workspace, group } = await fillGroup(links);
      for (const [name, run] of READS) {
        const meter: Meter = { calls: 0, statements: 0, rowsRead: 0, milliseconds: 0 };
        const ctx = { ...workspace.ctx, db: createDatabase(testEnv.DB, meter) };
        await run(ctx, group.id, toRange({ last: "30" }, "UTC", Date.now(), 0));
        read.set(name, [...(read.get(name) ?? []), meter.rowsRead]);
      }
      // A day on which nobody came: the others of 1,200 links are not among the 500 that are counted.
      const quietDay = toRange({ from: "2020-01-01", to: "2020-01-01" }, "UTC", Date.now(), 0);
      exported.push(await exportGroupLinks(workspace.ctx, group.id, quietDay));
      await cleanUp(workspace.ctx.workspace.rowId);
    }
  });

  it("the export has no links without visits, since not all visits are counted", () => {
    expect(exported).toEqual([[], []]);
  });

  it.each(READS)("%s reads a bounded number of rows", (name, _, most) => {
    const [small = 0, big = Number.POSITIVE_INFINITY] = read.get(name) ?? [];
    expect(small).toBeGreaterThan(DAYS);
    expect(big).toBeLessThanOrEqual(most);
    expect(big).toBeLessThanOrEqual(small * 1.2);
  });
});
