import type { Dimension } from "../../src/clicks/gathering";
import { addCounts } from "../../src/clicks/repository";
import { DAY_MS, HOUR_MS } from "../../src/lib/time";
import type { TestWorkspace } from "../harness";

/** Inserts clicks of a link at noon of a day. */
export async function click(
  ws: Pick<TestWorkspace, "ctx">,
  link: string,
  at: string | number,
  { people = 0, bots = 0, scans = 0, late = 0, country = "CH", referrer = "", device = "mobile" } = {},
): Promise<void> {
  const time = new Date(at).getTime();
  const day = time - (time % DAY_MS);
  const origins = Object.entries({ country, referrer, device }) as [Dimension, string][];
  const visits = people + scans;
  const hour = day + 12 * HOUR_MS;
  await ws.ctx.db.writeUnaudited(
    ...addCounts({
      hours: [{ link, hour, people, bots, scans, late, last: visits === 0 ? null : hour }],
      days:
        visits === 0
          ? []
          : origins.map(([dimension, value]) => ({ link, day, dimension, value, people: visits })),
      scans: [],
    }),
  );
}

/** Inserts scans of an asset in the hour of a time. Its link's scans are not counted. */
export const scan = (
  ws: Pick<TestWorkspace, "ctx">,
  asset: string,
  at: string | number,
  { people = 0, bots = 0, late = 0 } = {},
): Promise<void> => {
  const time = new Date(at).getTime();
  return ws.ctx.db.writeUnaudited(
    ...addCounts({
      hours: [],
      days: [],
      scans: [{ asset, hour: time - (time % HOUR_MS), people, bots, late }],
    }),
  );
};
