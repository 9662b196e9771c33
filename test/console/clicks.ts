import { eq } from "drizzle-orm";
import { writeCounts } from "../../src/analytics/write-visits";
import { orm } from "../../src/db/prepared";
import { offlineAssets } from "../../src/db/schema/engagement";
import { links } from "../../src/db/schema/links";
import { DAY_MS, HOUR_MS } from "../../src/lib/time";
import type { TestWorkspace } from "../harness";

const ORIGINS = { country: "CH", referrer: "", device: "mobile" };

/** Inserts visits of a link in an hour, by the code of an asset if there is one. */
export async function addVisits(
  { ctx }: Pick<TestWorkspace, "ctx">,
  link: string,
  hour: number,
  {
    clicks = 0,
    bots = 0,
    scans = 0,
    after_end = 0,
    asset = null as string | null,
    country = ORIGINS.country,
    referrer = ORIGINS.referrer,
    device = ORIGINS.device,
  },
): Promise<void> {
  const visits = clicks + scans;
  const origins = Object.entries({ country, referrer, device }) as ["device", string][];
  const last = visits === 0 ? null : hour;
  await writeCounts(ctx, {
    hours: [{ link, asset, hour, clicks, scans, bots, after_end, last }],
    days:
      visits === 0
        ? []
        : origins.map(([dimension, value]) => ({ link, day: hour, dimension, value, visits })),
  });
}

/** Inserts visits of a link at noon of a day. */
export function click(
  ws: Pick<TestWorkspace, "ctx">,
  link: string,
  at: string | number,
  visits: Parameters<typeof addVisits>[3],
): Promise<void> {
  const time = new Date(at).getTime();
  return addVisits(ws, link, time - (time % DAY_MS) + 12 * HOUR_MS, visits);
}

/** Inserts scans of an asset in the hour of a time. They count for its link too. */
export async function scan(
  ws: Pick<TestWorkspace, "ctx">,
  asset: string,
  at: string | number,
  visits: { scans?: number; bots?: number; after_end?: number },
): Promise<void> {
  const time = new Date(at).getTime();
  const [[row]] = await ws.ctx.db.read(
    orm
      .select({ link: links.public_id })
      .from(links)
      .innerJoin(offlineAssets, eq(offlineAssets.link_id, links.id))
      .where(eq(offlineAssets.public_id, asset)),
  );
  await addVisits(ws, row?.link ?? "", time - (time % HOUR_MS), { ...visits, asset });
}
