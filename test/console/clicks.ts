import { upsertDays, upsertHours } from "../../src/clicks/repository";
import { DAY_MS, HOUR_MS } from "../../src/lib/time";
import type { TestWorkspace } from "../harness";

/** Inserts clicks of a link at noon of a day. */
export async function click(
  ws: Pick<TestWorkspace, "ctx">,
  link: string,
  at: string | number,
  { people = 0, bots = 0, country = "CH", referrer = "", device = "mobile" } = {},
): Promise<void> {
  const time = new Date(at).getTime();
  const day = time - (time % DAY_MS);
  const origins = Object.entries({ country, referrer, device }) as ["country", string][];
  await ws.ctx.db.writeUnaudited(
    upsertHours([{ link, hour: day + 12 * HOUR_MS, people, bots, scans: 0, late: 0 }]),
    upsertDays(
      people === 0 ? [] : origins.map(([dimension, value]) => ({ link, day, dimension, value, people })),
    ),
  );
}
