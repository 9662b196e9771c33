import type { Origin } from "../../analytics/visit-buffer";
import { words } from "../shell/text";
import { OTHER } from "./scale";

const COUNTRIES = new Intl.DisplayNames("en-GB", { type: "region" });

const countryName = (code: string): string =>
  code === "T1"
    ? "Tor network"
    : /^[A-Z]{2}$/.test(code)
      ? (COUNTRIES.of(code) ?? code)
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
