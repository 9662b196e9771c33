import { describe, expect, it } from "vitest";
import type { HealthState, Reason } from "../../../src/lib/health-state";
import {
  type CheckResult,
  classify,
  nextHealth,
  resultOfError,
  resultOfStatus,
} from "../../../src/operations/health/check-result";

const DAY = 86_400_000;
const WEEK = 7 * DAY;
const NOW = Date.UTC(2026, 0, 1);

const http = (status: number): CheckResult => resultOfStatus(status);
const without = (reason: Reason): CheckResult => ({ reason, status: null });

it.each([
  [199, "unclear"],
  [200, "ok"],
  [299, "ok"],
  [300, "unclear"],
  [403, "unclear"],
  [404, "failed"],
  [410, "failed"],
  [499, "unclear"],
  [500, "failed"],
  [599, "failed"],
  [600, "unclear"],
])("a status %i is %s", (status, checked) => expect(classify(http(status))).toBe(checked));

it.each<[Reason, string]>([
  ["timeout", "failed"],
  ["dns", "failed"],
  ["tls", "failed"],
  ["connection", "failed"],
  ["unreachable", "failed"],
  ["redirects", "unclear"],
  ["forbidden", "unclear"],
])("a result without a page: %s is %s", (reason, checked) => expect(classify(without(reason))).toBe(checked));

it.each([
  [521, "connection"],
  [522, "timeout"],
  [523, "connection"],
  [524, "timeout"],
  [525, "tls"],
  [526, "tls"],
  [530, "dns"],
  [520, "http"],
])("Cloudflare’s answer for a host that it cannot reach: %i is %s", (status, reason) =>
  expect(resultOfStatus(status)).toEqual({ reason, status }),
);

describe("an error of fetch", () => {
  it.each<[string, unknown, Reason]>([
    ["workerd: reset or refused", new Error("Network connection lost."), "connection"],
    ["workerd: no such name, or TLS", new Error("internal error; reference = e2b0h2"), "unreachable"],
    ["a timeout", new DOMException("The operation was aborted due to timeout", "TimeoutError"), "timeout"],
    ["a name that does not resolve", new Error("DNS lookup failed."), "dns"],
    ["a certificate that has expired", new Error("The certificate has expired."), "tls"],
    ["no error", "text", "connection"],
  ])("%s", (_, error, reason) => expect(resultOfError(error)).toEqual({ reason, status: null }));

  it.each(["Too many subrequests.", "Response closed due to connection limit"])(
    "that is the invocation’s own says nothing of the destination: %s",
    (message) => expect(resultOfError(new Error(message))).toBeUndefined(),
  );
});

const after = (failures: number, since: number | null, result: CheckResult, isLive = false) =>
  nextHealth({ failures, failing_since: since }, result, { at: NOW, isLive });

it.each<[string, number, number | null, CheckResult, boolean, HealthState, number | null, number]>([
  ["a page", 0, null, http(200), false, "ok", null, WEEK],
  ["a page on a live asset", 0, null, http(200), true, "ok", null, DAY],
  ["a first failure", 0, null, http(404), false, "failing", NOW, DAY / 2],
  ["a second one a day later", 1, NOW - DAY, http(404), false, "failing", NOW - DAY, DAY / 2],
  ["a third one in less than a day", 2, NOW - DAY + 1, http(404), false, "failing", NOW - DAY + 1, DAY / 2],
  ["a third one after a day", 2, NOW - DAY, http(404), false, "broken", NOW - DAY, DAY],
  ["another kind of failure", 2, NOW - DAY, without("dns"), true, "broken", NOW - DAY, DAY],
  ["a failure after a week", 5, NOW - WEEK, http(500), false, "broken", NOW - WEEK, WEEK],
  ["a failure after a week on a live asset", 5, NOW - WEEK, http(500), true, "broken", NOW - WEEK, DAY],
  ["a page after failures", 5, NOW - WEEK, http(200), false, "ok", null, WEEK],
  ["a refusal after failures", 5, NOW - WEEK, http(403), false, "unclear", null, WEEK],
  ["a refusal on a live asset", 0, null, http(401), true, "unclear", null, DAY],
])("the next health after %s", (_, failures, since, result, isLive, state, failingSince, dueIn) => {
  expect(after(failures, since, result, isLive)).toEqual({
    state,
    reason: result.reason,
    http_status: result.status,
    failures: failingSince === null ? 0 : failures + 1,
    failing_since: failingSince,
    asked_at: NOW,
    due_at: NOW + dueIn,
  });
});
