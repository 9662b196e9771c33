import type { Dimension } from "../../clicks/count";
import type { ClickReport } from "../../clicks/report";
import { Empty, number, words } from "../shell/text";
import { Ranking, TimeChart } from "./chart";
import { eachDay, type Range } from "./date-range";

const COUNTRIES = new Intl.DisplayNames("en-GB", { type: "region" });

const nameOfCountry = (code: string): string =>
  code === "T1" ? "Tor network" : /^[A-Z]{2}$/.test(code) ? (COUNTRIES.of(code) ?? code) : words(code);

/** Where people come from, in words. */
export const ORIGINS: Readonly<Record<Dimension, { title: string; nameOf: (value: string) => string }>> = {
  country: { title: "Country", nameOf: nameOfCountry },
  referrer: {
    title: "Referrer",
    nameOf: (value) => (value === "none" ? "None, or not told" : value),
  },
  device: { title: "Device", nameOf: words },
};

/** A report of clicks: in all, by day, and by what is known of the people. */
export const Clicks = ({ report, range }: { report: ClickReport; range: Range }) => {
  if (report.people + report.bots === 0) {
    return (
      <Empty>
        <p>No clicks on these days. They show up here within a minute.</p>
      </Empty>
    );
  }
  const people = new Map(report.days.map((day) => [day.day, day.people]));
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
        <Ranking
          title="Channel"
          of="Clicks"
          rows={report.channels.map(({ channel, people }) => ({
            label: channel === null ? "No channel" : channel,
            value: people,
          }))}
        />
        <Ranking
          title={ORIGINS.country.title}
          of="Clicks"
          rows={report.countries.map(({ country, people }) => ({
            label: ORIGINS.country.nameOf(country),
            value: people,
          }))}
        />
        <Ranking
          title={ORIGINS.referrer.title}
          of="Clicks"
          rows={report.referrers.map(({ referrer, people }) => ({
            label: ORIGINS.referrer.nameOf(referrer),
            value: people,
          }))}
        />
        <Ranking
          title={ORIGINS.device.title}
          of="Clicks"
          rows={report.devices.map(({ device, people }) => ({
            label: ORIGINS.device.nameOf(device),
            value: people,
          }))}
        />
      </div>
    </div>
  );
};
