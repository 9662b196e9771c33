import type { VisitReport } from "../../analytics/report";
import type { Origin } from "../../analytics/visit-buffer";
import { nameOfCode } from "../shell/code-names";
import { words } from "../shell/text";
import { OTHER, type Share } from "./scale";
import { Shares } from "./shares";

const countryName = (code: string): string =>
  code === "T1"
    ? "Tor network"
    : /^[A-Z]{2}$/.test(code)
      ? nameOfCode("region", code)
      : words(code === "" ? "unknown" : code);

export const ORIGINS: Readonly<
  Record<Origin, { title: string; many: string; label: (value: string) => string }>
> = {
  referrer: {
    title: "Referrer",
    many: "Sources",
    label: (value) =>
      value === "none" || value === "" ? "Direct or unknown" : value === "other" ? OTHER : value,
  },
  country: { title: "Country", many: "Countries", label: countryName },
  device: { title: "Device", many: "Devices", label: (value) => (value === "" ? "Unknown" : words(value)) },
};

const TABS = Object.keys(ORIGINS) as Origin[];

type Origins = VisitReport["origins"];

export const originShares = (origins: Origins, dimension: Origin): Share[] =>
  origins[dimension].map(({ value, visits }) => ({ label: ORIGINS[dimension].label(value), value: visits }));

/** Where visitors came from, as tabs of radio buttons, which need no script. */
export const OriginTabs = ({ origins }: { origins: Origins }) => (
  <section class="tabs" aria-label="Where visitors came from">
    {TABS.map((dimension, index) => (
      <>
        <input
          type="radio"
          name="origins"
          id={`origins-${dimension}`}
          checked={index === 0}
          autocomplete="off"
        />
        <label for={`origins-${dimension}`}>{ORIGINS[dimension].many}</label>
      </>
    ))}
    {TABS.map((dimension) => (
      <Shares title={ORIGINS[dimension].many} values={originShares(origins, dimension)} />
    ))}
    <p class="hint">Sources, countries and devices are counted separately, so none filters the others.</p>
  </section>
);
