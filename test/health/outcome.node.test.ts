import { describe, expect, it } from "vitest";
import { describe as inWords } from "../../src/health/describe";
import {
  type Finding,
  findingOf,
  findingOfError,
  judge,
  nextHealth,
  pauseMs,
  type Reason,
} from "../../src/health/outcome";
import type { HealthState } from "../../src/lib/health-state";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;
const NOW = Date.UTC(2026, 0, 1);

const http = (status: number): Finding => findingOf(status);
const without = (reason: Reason): Finding => ({ reason, status: null });

describe("a status", () => {
  it.each([
    [200, "ok"],
    [204, "ok"],
    [299, "ok"],
    [300, "unclear"],
    [304, "unclear"],
    [400, "unclear"],
    [401, "unclear"],
    [403, "unclear"],
    [404, "failed"],
    [405, "unclear"],
    [406, "unclear"],
    [410, "failed"],
    [418, "unclear"],
    [429, "unclear"],
    [451, "unclear"],
    [500, "failed"],
    [503, "failed"],
    [521, "failed"],
    [530, "failed"],
    [599, "failed"],
    [600, "unclear"],
    [999, "unclear"],
  ])("%i is %s", (status, judged) => expect(judge(http(status))).toBe(judged));
});

describe("a finding without a page", () => {
  it.each<[Reason, string]>([
    ["timeout", "failed"],
    ["dns", "failed"],
    ["tls", "failed"],
    ["connection", "failed"],
    ["unreachable", "failed"],
    ["redirects", "unclear"],
    ["forbidden", "unclear"],
  ])("%s is %s", (reason, judged) => expect(judge(without(reason))).toBe(judged));
});

describe("Cloudflare’s answer for a host that it cannot reach", () => {
  it.each([
    [521, "connection"],
    [522, "timeout"],
    [523, "connection"],
    [524, "timeout"],
    [525, "tls"],
    [526, "tls"],
    [530, "dns"],
    [520, "http"],
  ])("%i is %s", (status, reason) => expect(findingOf(status)).toEqual({ reason, status }));
});

const withCause = (code: string, message = "") =>
  new TypeError("fetch failed", { cause: Object.assign(new Error(message), { code }) });

describe("an error of fetch", () => {
  it.each<[string, unknown, Reason]>([
    ["workerd: reset or refused", new Error("Network connection lost."), "connection"],
    ["workerd: no such name, or TLS", new Error("internal error; reference = e2b0h2"), "unreachable"],
    ["a timeout", new DOMException("The operation was aborted due to timeout", "TimeoutError"), "timeout"],
    ["Node: no such name", withCause("ENOTFOUND", "getaddrinfo ENOTFOUND a.example"), "dns"],
    ["Node: no address now", withCause("EAI_AGAIN"), "dns"],
    ["Node: refused", withCause("ECONNREFUSED"), "connection"],
    ["Node: reset", withCause("ECONNRESET"), "connection"],
    ["Node: an expired certificate", withCause("CERT_HAS_EXPIRED", "certificate has expired"), "tls"],
    [
      "Node: a certificate of its own",
      withCause("DEPTH_ZERO_SELF_SIGNED_CERT", "self-signed certificate"),
      "tls",
    ],
    ["Node: another protocol", withCause("ERR_SSL_WRONG_VERSION_NUMBER"), "tls"],
    ["Node: slow headers", withCause("UND_ERR_CONNECT_TIMEOUT", "Connect Timeout Error"), "timeout"],
    ["no error", "text", "connection"],
  ])("%s", (_, error, reason) => expect(findingOfError(error)).toEqual({ reason, status: null }));

  it.each(["Too many subrequests.", "Response closed due to connection limit"])(
    "that is the invocation’s own says nothing of the destination: %s",
    (message) => expect(findingOfError(new Error(message))).toBeUndefined(),
  );
});

describe("Retry-After", () => {
  it.each<[string | null, number]>([
    [null, 0],
    ["", 0],
    ["0", 0],
    ["120", 120_000],
    [" 5 ", 5_000],
    ["86400", DAY],
    ["86401", DAY],
    ["9".repeat(64), DAY],
    ["9".repeat(100_000), DAY],
    ["-5", 0],
    ["1.5e3", 0],
    ["soon", 0],
    [new Date(NOW + HOUR).toUTCString(), HOUR],
    [new Date(NOW - HOUR).toUTCString(), 0],
    [new Date(NOW + WEEK).toUTCString(), DAY],
  ])("%.40j is %i ms", (value, ms) => expect(pauseMs(value, NOW)).toBe(ms));
});

describe("the next health", () => {
  const after = (since: number | null, finding: Finding, isLive = false) =>
    nextHealth({ failing_since: since }, finding, { at: NOW, isLive });

  it.each<[string, number | null, Finding, boolean, HealthState, number | null, number]>([
    ["a page", null, http(200), false, "ok", null, WEEK],
    ["a page on a live asset", null, http(200), true, "ok", null, DAY],
    ["a first failure", null, http(404), false, "failing", NOW, DAY],
    ["a second one just under a day later", NOW - DAY + 1, http(404), false, "failing", NOW - DAY + 1, DAY],
    ["a second one a day later", NOW - DAY, http(404), false, "broken", NOW - DAY, DAY],
    ["another kind of failure a day later", NOW - DAY, without("dns"), false, "broken", NOW - DAY, DAY],
    ["a failure after a week", NOW - WEEK, http(500), false, "broken", NOW - WEEK, WEEK],
    ["a failure after a week on a live asset", NOW - WEEK, http(500), true, "broken", NOW - WEEK, DAY],
    ["a page after failures", NOW - WEEK, http(200), false, "ok", null, WEEK],
    ["a refusal after failures", NOW - WEEK, http(403), false, "unclear", null, WEEK],
    ["a refusal on a live asset", null, http(401), true, "unclear", null, DAY],
    ["a forbidden redirect", null, { reason: "forbidden", status: 302 }, false, "unclear", null, WEEK],
  ])("after %s", (_, since, finding, isLive, state, failingSince, dueIn) => {
    expect(after(since, finding, isLive)).toEqual({
      state,
      reason: finding.reason,
      http_status: finding.status,
      failing_since: failingSince,
      asked_at: NOW,
      due_at: NOW + dueIn,
    });
  });
});

describe("a finding in words", () => {
  it.each<[Reason | null, number | null, string]>([
    [null, null, "not asked yet"],
    ["http", 200, "200 OK"],
    ["http", 204, "204"],
    ["http", 404, "404 Not Found"],
    ["http", 401, "the page asks for a sign-in (401)"],
    ["http", 429, "the page refuses frequent requests (429)"],
    ["timeout", null, "no answer within ten seconds"],
    ["timeout", 522, "no answer within ten seconds (522)"],
    ["dns", 530, "its host name does not exist (530)"],
    ["redirects", 302, "it redirects in a circle or more than five times"],
    ["forbidden", 302, "its address, or one that it redirects to, is not allowed as a destination"],
  ])("%s %s: %s", (reason, status, words) => {
    expect(inWords({ reason, http_status: status })).toBe(words);
  });
});
