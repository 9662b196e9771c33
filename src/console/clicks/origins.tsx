import type { ChosenOrigin } from "../../analytics/origin-report";
import type { VisitReport } from "../../analytics/report";

import { type Origin, UNKNOWN_LABELS } from "../../analytics/visit-buffer";
import { nameOfCode } from "../shell/code-names";
import { thisPage } from "../shell/href";
import { words } from "../shell/text";
import { OTHER, type Share } from "./scale";
import { Shares } from "./shares";

const countryName = (code: string): string =>
  code === "T1"
    ? "Tor network"
    : /^[A-Z]{2}$/.test(code)
      ? nameOfCode("region", code)
      : words(code === "" ? "unknown" : code);

type OriginParameter = "source" | "country" | "device";

export const ORIGINS: Readonly<
  Record<
    Origin,
    { title: string; parameter: OriginParameter; many: string; label: (value: string) => string }
  >
> = {
  referrer: {
    title: "Referrer",
    parameter: "source",
    many: "Sources",
    label: (value) =>
      value === "none" || value === "" ? "Direct or unknown" : value === "other" ? OTHER : value,
  },
  country: { title: "Country", parameter: "country", many: "Countries", label: countryName },
  device: {
    title: "Device",
    parameter: "device",
    many: "Devices",
    label: (value) => (value === "" ? "Unknown" : words(value)),
  },
};

export const TABS = Object.keys(ORIGINS) as Origin[];

type Origins = VisitReport["origins"];

export const originShares = (origins: Origins, dimension: Origin): Share[] =>
  origins[dimension].map(({ value, visits }) => ({ label: ORIGINS[dimension].label(value), value: visits }));

/** Parameters of a page of figures that is not filtered, for a link to the whole or to another origin. */
export const NO_ORIGIN = { source: undefined, country: undefined, device: undefined, page: undefined };

export const originParameters = ({ origin, value }: ChosenOrigin) => ({
  [ORIGINS[origin].parameter]: value === "" ? UNKNOWN_LABELS[origin] : value,
});

/** The values of an origin, which filter the page. The sources without a name of their own do not: they are no one source. */
export const originLinks = (origins: Origins, origin: Origin): Share[] =>
  origins[origin].map(({ value, visits }) => ({
    label: ORIGINS[origin].label(value),
    value: visits,
    href: thisPage({ ...NO_ORIGIN, ...originParameters({ origin, value }) }),
  }));

/** Where visitors came from, as tabs of radio buttons, which need no script. */
export const OriginTabs = ({ origins, areLinks }: { origins: Origins; areLinks: boolean }) => (
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
      <Shares
        title={ORIGINS[dimension].many}
        values={(areLinks ? originLinks : originShares)(origins, dimension)}
      />
    ))}
    {areLinks && (
      <p class="hint">
        A source, country or device filters the page, one at a time: they are counted separately.
      </p>
    )}
  </section>
);
