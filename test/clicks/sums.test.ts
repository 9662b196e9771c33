import { beforeAll, describe, expect, it } from "vitest";
import { addCounts } from "../../src/clicks/repository";
import { type Sums, sumVisitsOfGroups, sumVisitsOfTags } from "../../src/clicks/sums";
import { reportVisits, type VisitScope } from "../../src/clicks/visits";
import type { Context } from "../../src/context";
import { type Range, type RangeQuery, toRange } from "../../src/lib/range";
import { DAY_MS, HOUR_MS } from "../../src/lib/time";
import { makeWorkspace, type TestWorkspace } from "../harness";

// The sums in lists of tags and groups are those of the tag's or group's own page, in every time zone.

/** Between a change of the clocks in Europe and one in America. */
const NOW = Date.UTC(2026, 9, 28, 9, 30);
const DAYS = 40;
const ZONES = [
  "UTC",
  "Europe/London",
  "America/Los_Angeles",
  "Asia/Kolkata",
  "Pacific/Auckland",
  "Pacific/Kiritimati",
];
const RANGES: RangeQuery[] = [
  { last: "today" },
  { last: "7" },
  { last: "30" },
  { from: "2026-10-25", to: "2026-10-25" },
  { from: "2026-10-04", to: "2026-10-20" },
  { from: "2026-10-27", to: "2026-10-30" },
];

describe("the sums of a list", () => {
  let ws: TestWorkspace;
  let tag = "";
  let group = "";

  beforeAll(async () => {
    ws = await makeWorkspace();
    tag = (await ws.tag()).id;
    group = (await ws.group()).id;
    const link = await ws.link({ tag_ids: [tag], activity_group_id: group });
    // Each hour has another number, so that a range which begins or ends an hour too late has another sum.
    for (let day = 0; day < DAYS; day++) {
      const first = NOW - (NOW % HOUR_MS) - day * DAY_MS;
      const hours = Array.from({ length: 24 }, (_, index) => first - index * HOUR_MS).map((hour) => ({
        link: link.id,
        hour,
        people: 1 + ((hour / HOUR_MS) % 97),
        bots: 3,
        scans: 2,
        late: 5,
        last: hour,
      }));
      await ws.ctx.db.writeUnaudited(...addCounts({ hours, days: [], scans: [] }));
    }
  });

  const lists: [string, (ctx: Context, range: Range) => Promise<Sums>, () => VisitScope][] = [
    ["tags", sumVisitsOfTags, () => ({ tag })],
    ["groups", sumVisitsOfGroups, () => ({ group })],
  ];
  it.each(lists)("of %s are those of its own page in every time zone", async (_, sum, scope) => {
    const ctx = { ...ws.ctx, now: () => NOW };
    for (const zone of ZONES) {
      for (const query of RANGES) {
        const range = toRange(query, zone, NOW, 0);
        const { totals } = await reportVisits(ctx, scope(), range, { compare: false });
        const { visits } = await sum(ctx, range);
        const name = `${zone} ${JSON.stringify(query)}`;
        expect(totals.clicks + totals.scans, name).toBeGreaterThan(0);
        expect([...visits.values()], name).toEqual([totals.clicks + totals.scans]);
      }
    }
  });
});
