import type { ClickReport } from "../../clicks/report";
import { href } from "../href";
import { Empty, number, words } from "../shell/text";
import { Ranking, TimeChart } from "./chart";
import { eachDay, type Range } from "./date-range";
import { ORIGINS } from "./origins";

const CLICKS_AND_SCANS = "Clicks · Scans";
const ORIGINS_OF = "Clicks and scans";

/** The assets of a link: what they were scanned, and which are still scanned after the link's end. */
const AssetTable = ({ workspace, assets }: { workspace: string; assets: ClickReport["assets"] }) => {
  const hasLate = assets.some(({ late }) => late > 0);
  return (
    <table class="list">
      <caption>Scans by asset</caption>
      <thead>
        <tr>
          <th scope="col">Asset</th>
          <th scope="col">Place</th>
          <th scope="col">Status</th>
          <th scope="col" class="number">
            Scans
          </th>
          {hasLate && (
            <th scope="col" class="number">
              After the end
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {assets.map(({ id, name, place, status, scans, late }) => (
          <tr>
            <th scope="row">
              <a href={href.asset(workspace, id)}>{name}</a>
            </th>
            <td data-label={place === null ? undefined : "Place"}>{place}</td>
            <td data-label="Status">{words(status)}</td>
            <td data-label="Scans" class="number">
              {number(scans)}
            </td>
            {hasLate && (
              <td data-label="After the end" class="number">
                {number(late)}
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
};

/** Clicks and scans in total, by day, by channel, by asset and by origin. */
export const Clicks = ({
  report,
  range,
  workspace,
}: {
  report: ClickReport;
  range: Range;
  workspace: string;
}) => {
  const { totals, assets } = report;
  const assetTable = assets.length > 0 && (
    <>
      {report.has_more_assets && (
        <p class="warning">
          The link has more assets. The {assets.length} most scanned ones are listed, and the places are
          theirs.
        </p>
      )}
      <AssetTable workspace={workspace} assets={assets} />
    </>
  );
  if (totals.clicks + totals.scans + totals.late + totals.bots === 0) {
    return (
      <div class="stack">
        <Empty>
          <p>No clicks and no scans on these days. They show up here within a minute.</p>
        </Empty>
        {assetTable}
      </div>
    );
  }
  const visits = new Map(report.days.map(({ day, clicks, scans }) => [day, [clicks, scans]]));
  const { country, referrer, device } = ORIGINS;
  const rankings = [
    {
      title: "Channel",
      of: CLICKS_AND_SCANS,
      rows: report.channels.map(({ channel, clicks, scans }) => ({
        label: channel ?? "No channel",
        values: [clicks, scans],
      })),
    },
    ...(assets.length === 0
      ? []
      : [
          {
            title: "Place",
            of: "Scans",
            rows: report.places
              .filter(({ scans }) => scans > 0)
              .map(({ place, scans }) => ({ label: place ?? "No place", values: [scans] })),
          },
        ]),
    {
      title: country.title,
      of: ORIGINS_OF,
      rows: report.countries.map((one) => ({ label: country.label(one.country), values: [one.people] })),
    },
    {
      title: referrer.title,
      of: ORIGINS_OF,
      rows: report.referrers.map((one) => ({ label: referrer.label(one.referrer), values: [one.people] })),
    },
    {
      title: device.title,
      of: ORIGINS_OF,
      rows: report.devices.map((one) => ({ label: device.label(one.device), values: [one.people] })),
    },
  ];
  return (
    <div class="stack">
      <div class="stats">
        <p class="stat">
          <strong>{number(totals.clicks)}</strong>{" "}
          {totals.clicks === 1 ? "click by a person" : "clicks by people"}
        </p>
        <p class="stat">
          <strong>{number(totals.scans)}</strong> {totals.scans === 1 ? "scan" : "scans"} of assets
        </p>
        {totals.late > 0 && (
          <p class="stat">
            <strong>{number(totals.late)}</strong> after the end
          </p>
        )}
        <p class="stat">
          <strong>{number(totals.bots)}</strong> by bots and previews
        </p>
      </div>
      <TimeChart
        title="Clicks and scans by people, day by day"
        of={["click", "scan"]}
        points={eachDay(range).map((day) => ({ label: day, values: visits.get(day) ?? [0, 0] }))}
      />
      {assetTable}
      <div class="cards">
        {rankings.map((ranking) => (
          <Ranking {...ranking} />
        ))}
      </div>
    </div>
  );
};
