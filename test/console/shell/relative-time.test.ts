import { expect, it } from "vitest";
import { relativeTime } from "../../../src/console/shell/text";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../src/lib/time";

it.each([
  [0, "less than an hour ago"],
  [-59 * MINUTE_MS, "less than an hour ago"],
  [59 * MINUTE_MS, "in less than an hour"],
  [-HOUR_MS, "1 hour ago"],
  [-DAY_MS + 1, "23 hours ago"],
  [DAY_MS - 1, "in 23 hours"],
  [-DAY_MS, "1 day ago"],
  [7 * DAY_MS, "in 7 days"],
  [30 * DAY_MS, "in 30 days"],
  [-31 * DAY_MS, null],
  [31 * DAY_MS, null],
])("a time %d ms away is %j", (difference, text) => {
  const now = Date.UTC(2026, 4, 1);
  expect(relativeTime(now + difference, now)).toBe(text);
});
