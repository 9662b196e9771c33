import { lastDays } from "../clicks/of-links";
import type { ClickReport } from "../clicks/report";
import { DAY_MS, isoTime } from "../lib/time";
import { Ranking, TimeChart } from "./chart";
import { number, words } from "./text";

const COUNTRIES = new Intl.DisplayNames("en-GB", { type: "region" });

const nameOfCountry = (code: string): string =>
  code === "T1" ? "Tor network" : /^[A-Z]{2}$/.test(code) ? (COUNTRIES.of(code) ?? code) : words(code);

/** The clicks of a link, day by day and by where its people come from. */
export const LinkClicks = ({ report, now, days }: { report: ClickReport; now: number; days: number }) => {
  const { from } = lastDays(now, days);
  const people = new Map(report.days.map((day) => [day.day, day.people]));
  const points = Array.from({ length: days }, (_, index) => {
    const label = isoTime(from + index * DAY_MS).slice(0, 10);
    return { label, value: people.get(label) ?? 0 };
  });
  return (
    <section class="card" aria-label="Clicks">
      <h2>Clicks of the last {days} days</h2>
      {report.people + report.bots === 0 ? (
        <p class="soft">None yet. They show up here within a minute.</p>
      ) : (
        <>
          <p>
            <strong>{number(report.people)}</strong> by people, and {number(report.bots)} by bots and
            previews.
          </p>
          <TimeChart title="Clicks by people, day by day" unit="click" points={points} />
          <div class="cards">
            <Ranking
              title="Country"
              of="Clicks"
              rows={report.countries.map((row) => ({ label: nameOfCountry(row.country), value: row.people }))}
            />
            <Ranking
              title="Referrer"
              of="Clicks"
              rows={report.referrers.map((row) => ({
                label: row.referrer === "none" ? "None, or not told" : row.referrer,
                value: row.people,
              }))}
            />
            <Ranking
              title="Device"
              of="Clicks"
              rows={report.devices.map((row) => ({ label: words(row.device), value: row.people }))}
            />
          </div>
        </>
      )}
    </section>
  );
};
