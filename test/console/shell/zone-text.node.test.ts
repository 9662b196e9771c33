import { expect, it } from "vitest";
import { zoneOption, zoneText } from "../../../src/console/shell/zone-text";

it.each([
  ["Europe/Zurich", "Zurich time", "Zurich time (Europe)"],
  ["America/Argentina/Buenos_Aires", "Buenos Aires time", "Buenos Aires time (Argentina, America)"],
  ["UTC", "UTC", "UTC"],
  ["Etc/GMT+5", "GMT+5", "GMT+5 (Etc)"],
  ["CET", "CET", "CET"],
])("%s is said as %s", (zone, text, option) => {
  expect([zoneText(zone), zoneOption(zone)]).toEqual([text, option]);
});
