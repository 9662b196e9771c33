import type { VisitReport } from "../../analytics/report";
import type { Origin } from "../../analytics/visit-buffer";
import { nameOfCode } from "../shell/code-names";
import { words } from "../shell/text";
import { OTHER } from "./scale";
import { Shares } from "./shares";

const countryName = (code: string): string =>
  code === "T1"
    ? "Tor network"
    : /^[A-Z]{2}$/.test(code)
      ? nameOfCode("region", code)
      : words(code === "" ? "unknown" : code);

/** The labels of what is known about visitors. */
export const ORIGINS: Readonly<Record<Origin, { title: string; label: (value: string) => string }>> = {
  country: { title: "Country", label: countryName },
  referrer: {
    title: "Referrer",
    label: (value) =>
      value === "none" || value === "" ? "None, or not told" : value === "other" ? OTHER : value,
  },
  device: { title: "Device", label: (value) => (value === "" ? "Unknown" : words(value)) },
};

const TABS: readonly (readonly [Origin, string])[] = [
  ["referrer", "Sources"],
  ["country", "Countries"],
  ["device", "Devices"],
];

/** Where visitors came from, as tabs of radio buttons, which need no script. */
export const OriginTabs = ({ origins, zone }: { origins: VisitReport["origins"]; zone: string }) => (
  <section class="tabs" aria-label="Where visitors came from">
    {TABS.map(([dimension, title], index) => (
      <>
        <input
          type="radio"
          name="origins"
          id={`origins-${dimension}`}
          checked={index === 0}
          autocomplete="off"
        />
        <label for={`origins-${dimension}`}>{title}</label>
      </>
    ))}
    {TABS.map(([dimension, title]) => (
      <Shares
        title={title}
        values={origins[dimension].map(({ value, visits }) => ({
          label: ORIGINS[dimension].label(value),
          value: visits,
        }))}
      />
    ))}
    {zone !== "UTC" && (
      <p class="hint">Sources, countries and devices are counted by day in UTC, not in {zone}.</p>
    )}
  </section>
);
