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

export const TABS = Object.keys(ORIGINS) as Origin[];

type Origins = VisitReport["origins"];

export const PARAMETERS = { referrer: "source", country: "country", device: "device" } as const;

/** A page that is not filtered has none of them, and its lists begin anew. */
export const NO_ORIGIN = { source: undefined, country: undefined, device: undefined, page: undefined };

export const originParameters = ({ origin, value }: ChosenOrigin) => ({
  [PARAMETERS[origin]]: value === "" ? UNKNOWN_LABELS[origin] : value,
});

interface LinkedOrigins {
  /** Whether links filter the page. Those of `OTHER`, which is no one source, are not shown. */
  areLinks?: boolean;
  /** What the page is filtered by. */
  chosen?: ChosenOrigin | undefined;
}

export const originShares = (
  origins: Origins,
  origin: Origin,
  { areLinks = false, chosen }: LinkedOrigins = {},
): Share[] =>
  origins[origin].map(({ value, visits }) => ({
    label: ORIGINS[origin].label(value),
    value: visits,
    isChosen: chosen?.origin === origin && chosen.value === value,
    href: areLinks ? thisPage({ ...NO_ORIGIN, ...originParameters({ origin, value }) }) : undefined,
  }));

/** Where visitors came from, as tabs of radio buttons, which need no script. That of the chosen origin is open. */
export const OriginTabs = ({ origins, areLinks = false, chosen }: LinkedOrigins & { origins: Origins }) => (
  <section class="tabs" aria-label="Where visitors came from">
    {TABS.map((dimension) => (
      <>
        <input
          type="radio"
          name="origins"
          id={`origins-${dimension}`}
          checked={dimension === (chosen?.origin ?? TABS[0])}
          autocomplete="off"
        />
        <label for={`origins-${dimension}`}>{ORIGINS[dimension].many}</label>
      </>
    ))}
    {TABS.map((dimension) => (
      <Shares
        title={ORIGINS[dimension].many}
        values={originShares(origins, dimension, { areLinks, chosen })}
      />
    ))}
    {areLinks && (
      <p class="hint">
        A source, country or device filters the page, one at a time: they are counted separately.
      </p>
    )}
  </section>
);
