import { type ClickReport, reportClicks } from "../../clicks/report";
import type { Asset } from "../../engagement/service";
import { DAY_MS, HOUR_MS, isoTime } from "../../lib/time";
import { TimeChart } from "../clicks/chart";
import type { PageContext } from "../shell/request";
import { number, Time } from "../shell/text";

const MAX_DAYS = 90;

/** The clicks of the asset's link since the hour in which it first went live. */
export function readClicks(
  c: PageContext,
  { link, live_at: liveAt }: Asset,
): Promise<ClickReport> | undefined {
  if (liveAt === null) return undefined;
  const at = Date.parse(liveAt);
  return reportClicks(c.var.ctx, { link: link.id }, at - (at % HOUR_MS), c.var.ctx.now());
}

/** One point a day, also for days without clicks. */
function toPoints({ from, to, days }: ClickReport): { label: string; value: number }[] {
  const people = new Map(days.map((day) => [day.day, day.people]));
  const last = Date.parse(to);
  const first = Math.max(Date.parse(from.slice(0, 10)), last - (MAX_DAYS - 1) * DAY_MS);
  const labels = Array.from({ length: Math.floor((last - first) / DAY_MS) + 1 }, (_, index) =>
    isoTime(first + index * DAY_MS).slice(0, 10),
  );
  return labels.map((label) => ({ label, value: people.get(label) ?? 0 }));
}

export const AssetClicks = ({ asset, clicks }: { asset: Asset; clicks: ClickReport | undefined }) => (
  <section class="card" aria-labelledby="clicks">
    <h2 id="clicks">Clicks since it went live</h2>
    {clicks === undefined || asset.live_at === null ? (
      <p class="soft">They are counted from the moment it goes live.</p>
    ) : (
      <>
        <div class="stats">
          <p class="stat">
            <strong>{number(clicks.people)}</strong> by people
          </p>
          <p class="stat">
            <strong>{number(clicks.bots)}</strong> by bots and previews
          </p>
        </div>
        {clicks.people > 0 && <TimeChart title="Clicks by day" unit="click" points={toPoints(clicks)} />}
        <p class="hint">
          Every click on /{asset.link.slug} counts since <Time at={asset.live_at} exact />, wherever it was
          found.
        </p>
      </>
    )}
  </section>
);
