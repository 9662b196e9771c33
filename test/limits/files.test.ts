import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exportClicks, exportOrigins, type Portion } from "../../src/clicks/report";
import { DAY_MS, isoTime } from "../../src/lib/time";
import { MAX_EXPORTED_LINKS } from "../../src/links/export-list";
import { type Browser, makeMember } from "../console/browser";
import { click } from "../console/clicks";
import { makeWorkspace, testEnv } from "../harness";
import { metered } from "../metered";

/** The free plan allows 50 statements an invocation. */
const MAX_STATEMENTS = 30;
const LINKS = 6_000;
const TODAY = Date.now() - (Date.now() % DAY_MS);
const dateBefore = (days: number): string => isoTime(TODAY - days * DAY_MS).slice(0, 10);

const run = async (sql: string): Promise<void> => {
  await testEnv.DB.prepare(sql).run();
};

/** Inserts links as an import would, in a fraction of its time, with visits on two days. */
async function insertVisitedLinks(workspace: number, group: string): Promise<void> {
  await run(`with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n < ${LINKS - 1})
    insert into links (public_id, workspace_id, slug, slug_key, destination_url, destination_key, destination_host,
      utm_campaign_origin, activity_group_id, created_at, updated_at)
    select printf('01JZ%010d%012d', ${workspace}, n), ${workspace}, 'many-' || n, 'many-' || n,
      'https://www.example.com/' || n, 'https://www.example.com/' || n, 'www.example.com', 'inherited',
      (select id from activity_groups where public_id = '${group}'), n, n from numbers`);
  await run(`insert into click_hours (workspace_id, link_id, hour, people, bots)
    select workspace_id, links.id, ${TODAY} - days.value * ${DAY_MS}, 1, 2 from links, json_each('[0,1]') as days
    where workspace_id = ${workspace}`);
  await run(`update workspaces set active_links = ${LINKS} where id = ${workspace}`);
}

async function deleteLinks(workspace: number): Promise<void> {
  await run(`delete from click_hours where workspace_id = ${workspace}`);
  await run(`delete from links where workspace_id = ${workspace}`);
  await run(`update workspaces set active_links = 0 where id = ${workspace}`);
}

describe(`in a workspace with ${LINKS} visited links in one Activity Group, a file takes few statements:`, () => {
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
    expect(slugs).toHaveLength(2 * LINKS);
    expect(new Set(text.trimEnd().split("\r\n")).size).toBe(2 * LINKS + 1);
    expect(new Set(slugs).size).toBe(LINKS);
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

  it("and the page of the group says how much a file has", async () => {
    const { text } = await browser.get(`${path}/groups/${group}`);
    expect(text).toContain("Export day by day, in UTC, at most a year and 500,000 rows:");
  });
});

async function collect<Row>(portions: AsyncGenerator<Portion<Row>>) {
  const all: Portion<Row>[] = [];
  for await (const portion of portions) all.push(portion);
  return { rows: all.flatMap(({ rows }) => rows), cut: all.map(({ isCut }) => isCut) };
}

describe("an export by day", () => {
  const FROM = Date.UTC(2026, 4, 1);
  const TO = Date.UTC(2026, 5, 1);

  async function visitedGroup() {
    const { call, ctx, group, link } = await makeWorkspace();
    const { id } = await group();
    const [a, b, c] = [
      await link({ activity_group_id: id }),
      await link({ activity_group_id: id }),
      await link({ activity_group_id: id }),
    ];
    for (const [one, days] of [
      [a, ["2026-05-01", "2026-05-02", "2026-05-04"]],
      [b, ["2026-05-02"]],
      [c, ["2026-05-01", "2026-05-03"]],
    ] as const) {
      for (const day of days)
        await click({ ctx }, one.id, day, { people: 1, referrer: `${one.slug}.example` });
    }
    await call("PATCH", `/api/v1/links/${a.id}`, { body: { status: "archived" } });
    const expected = [
      [b.slug, "2026-05-02"],
      [c.slug, "2026-05-01"],
      [c.slug, "2026-05-03"],
      [a.slug, "2026-05-01"],
      [a.slug, "2026-05-02"],
      [a.slug, "2026-05-04"],
    ];
    return { ctx, id, expected };
  }

  it.each([
    [1, 6, [false, false, false, false, false, false]],
    [2, 3, [false, false, false]],
    [4, 2, [false, false]],
    [6, 1, [false]],
    [2, 2, [false, true]],
    [5, 1, [true]],
  ])(
    "in portions of %i rows, at most %i, has each day once and says if it is cut",
    async (daysPerPortion, portions, cut) => {
      const { ctx, id, expected } = await visitedGroup();
      const read = await collect(await exportClicks(ctx, id, FROM, TO, { daysPerPortion, portions }));
      expect(read.rows.map(({ slug, day }) => [slug, day])).toEqual(
        expected.slice(0, daysPerPortion * portions),
      );
      expect(read.cut).toEqual(cut);
    },
  );

  it("of origins says if a month has more of them than a file holds", async () => {
    const { ctx, id } = await visitedGroup();
    const whole = await collect(await exportOrigins(ctx, id, FROM - 40 * DAY_MS, TO, 14));
    expect([whole.rows.length, whole.cut]).toEqual([14, [false, false, false]]);
    const part = await collect(await exportOrigins(ctx, id, FROM - 40 * DAY_MS, TO, 13));
    expect([part.rows.length, part.cut.at(-1)]).toEqual([13, true]);
  });
});
