import type { ClickReport } from "../../clicks/report";
import { Empty, number } from "../shell/text";
import { Ranking, TimeChart } from "./chart";
import { eachDay, type Range } from "./date-range";
import { ORIGINS } from "./origins";

/** Clicks in total, by day, by channel and by origin. */
export const Clicks = ({ report, range }: { report: ClickReport; range: Range }) => {
  if (report.people + report.bots === 0) {
    return (
      <Empty>
        <p>No clicks on these days. They show up here within a minute.</p>
      </Empty>
    );
  }
  const people = new Map(report.days.map((day) => [day.day, day.people]));
  const { country, referrer, device } = ORIGINS;
  const rankings = [
    {
      title: "Channel",
      rows: report.channels.map(({ channel, people }) => ({ label: channel ?? "No channel", value: people })),
    },
    {
      title: country.title,
      rows: report.countries.map((one) => ({ label: country.label(one.country), value: one.people })),
    },
    {
      title: referrer.title,
      rows: report.referrers.map((one) => ({ label: referrer.label(one.referrer), value: one.people })),
    },
    {
      title: device.title,
      rows: report.devices.map((one) => ({ label: device.label(one.device), value: one.people })),
    },
  ];
  return (
    <div class="stack">
      <div class="stats">
        <p class="stat">
          <strong>{number(report.people)}</strong>{" "}
          {report.people === 1 ? "click by a person" : "clicks by people"}
        </p>
        <p class="stat">
          <strong>{number(report.bots)}</strong> by bots and previews
        </p>
      </div>
      <TimeChart
        title="Clicks by people, day by day"
        unit="click"
        points={eachDay(range).map((day) => ({ label: day, value: people.get(day) ?? 0 }))}
      />
      <div class="cards">
        {rankings.map(({ title, rows }) => (
          <Ranking title={title} of="Clicks" rows={rows} />
        ))}
      </div>
    </div>
  );
};
