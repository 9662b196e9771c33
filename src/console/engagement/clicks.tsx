import { reportScans, type ScanReport } from "../../clicks/scans";
import type { Asset } from "../../engagement/service";
import { DAY_MS, isoTime } from "../../lib/time";
import { TimeChart } from "../clicks/chart";
import { href } from "../href";
import type { PageContext } from "../shell/request";
import { number, Time } from "../shell/text";

const MAX_DAYS = 90;

/** All scans of an asset. */
export const readClicks = (c: PageContext, { id }: Asset): Promise<ScanReport> =>
  reportScans(c.var.ctx, id, 0, c.var.ctx.now());

/** One point a day, also for days without scans, for the last 90 days at most. */
function toPoints({ to, days }: ScanReport): { label: string; values: number[] }[] {
  const scans = new Map(days.map((day) => [day.day, day.scans]));
  const last = Date.parse(to.slice(0, 10));
  const first = Math.max(Date.parse(days[0]?.day ?? to), last - (MAX_DAYS - 1) * DAY_MS);
  const labels = Array.from({ length: Math.floor((last - first) / DAY_MS) + 1 }, (_, index) =>
    isoTime(first + index * DAY_MS).slice(0, 10),
  );
  return labels.map((label) => ({ label, values: [scans.get(label) ?? 0] }));
}

const twoDigits = (value: number): string => String(value).padStart(2, "0");

/** What was printed before the code leads by a slug of the link, so its visits are no scans. */
const BeforeCodes = ({
  asset,
  report,
  workspace,
}: {
  asset: Asset;
  report: ScanReport;
  workspace: string;
}) => {
  const { code_at: codeAt } = report;
  if (asset.live_at === null || (codeAt !== null && asset.live_at >= codeAt)) return null;
  return (
    <p class="hint">
      {codeAt === null ? (
        "It has no code yet: it gets one within a day, or some days if there are thousands."
      ) : (
        <>
          It has had its own code since <Time at={codeAt} exact />.
        </>
      )}{" "}
      What was printed before has the code of its link. That goes on working, and its visits count as{" "}
      <a href={href.link(workspace, asset.link.id)}>clicks of the link</a>.
    </p>
  );
};

export const AssetClicks = ({
  asset,
  clicks: report,
  workspace,
}: {
  asset: Asset;
  clicks: ScanReport;
  workspace: string;
}) => {
  const { scans, late, bots } = report.totals;
  return (
    <section class="card" aria-labelledby="scans">
      <h2 id="scans">Scans</h2>
      <div class="stats">
        <p class="stat">
          <strong>{number(scans)}</strong> by people
        </p>
        {late > 0 && (
          <p class="stat">
            <strong>{number(late)}</strong> after the link’s end
          </p>
        )}
        <p class="stat">
          <strong>{number(bots)}</strong> by bots and previews
        </p>
      </div>
      {scans > 0 && (
        <>
          <TimeChart title="Scans by day" of={["scan"]} points={toPoints(report)} />
          <TimeChart
            title="Scans by hour of the day, in UTC"
            of={["scan"]}
            per="hour"
            points={report.hours.map((hour) => ({
              label: `${twoDigits(hour.hour)}:00`,
              values: [hour.scans],
            }))}
          />
        </>
      )}
      {late > 0 && <p class="hint">It is still scanned after the end of its link: it may still hang.</p>}
      <BeforeCodes asset={asset} report={report} workspace={workspace} />
    </section>
  );
};
