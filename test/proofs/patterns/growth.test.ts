import { expect, it } from "vitest";
import { z } from "zod";
import { email } from "../../../src/access/access-schema";
import { deviceOf } from "../../../src/analytics/count";
import {
  formEncoding,
  hasLongPartHeader,
  hasMoreFields,
  oneLine,
} from "../../../src/console/shell/form-fields";
import { invalid } from "../../../src/field-errors";
import { readQuery } from "../../../src/http/request-body";
import { rowsOf, splitNames } from "../../../src/lib/csv";
import { damageOf } from "../../../src/lib/damaged-address";
import { destinationProblem, normaliseHost } from "../../../src/lib/destination";
import { parseEntityTags } from "../../../src/lib/etag";
import { textOf } from "../../../src/lib/file-text";
import { composeTarget, mergeVisitorQuery } from "../../../src/lib/link-target";
import { fromWrittenMoment } from "../../../src/lib/local-time";
import { addressesIn } from "../../../src/lib/short-url";
import { fold, isSlugShaped, slugFromName, withSuffix } from "../../../src/lib/slug-text";
import { cleanAddress } from "../../../src/lib/typed-address";
import { check, isoMoment, plainSlug, text, trimmed, wholeNumber } from "../../../src/lib/validation";
import { toLinkReference } from "../../../src/resources/engagement/link-reference";
import { parseAssetList } from "../../../src/resources/engagement/parse-list";
import { slugRefusal } from "../../../src/resources/imports/slug-refusal";
import redos from "../../corpora/redos.json";

/** The repeated unit, with the text around it. */
interface Hostile {
  prefix: string;
  unit: string;
  suffix: string;
}

const HOSTILE: readonly Hostile[] = [
  ...redos.cases.map((entry) =>
    "repeat" in entry && entry.repeat !== undefined
      ? entry.repeat
      : { prefix: "", unit: (entry.value ?? "").slice(0, 1), suffix: (entry.value ?? "").slice(-1) },
  ),
  { prefix: "token=", unit: " ", suffix: "x" },
  { prefix: "x@", unit: "a.", suffix: "@" },
  { prefix: "x@", unit: ".", suffix: " " },
  { prefix: '"', unit: '""', suffix: "" },
  { prefix: "", unit: '"a,', suffix: "" },
  { prefix: "", unit: '"""a;', suffix: "" },
  { prefix: "", unit: '"a",', suffix: "x" },
  { prefix: "a;b;1", unit: ",000", suffix: "x" },
  { prefix: "go.example.com/", unit: "/", suffix: "" },
  { prefix: '"a"', unit: " ", suffix: "x" },
  { prefix: "", unit: " \n", suffix: "x" },
  { prefix: "", unit: "\r", suffix: "x" },
  { prefix: "multipart/form-data", unit: "; boundary=", suffix: "" },
  { prefix: "multipart/form-data; boundary=", unit: " ", suffix: "x" },
  { prefix: "", unit: "android", suffix: "mobile" },
  { prefix: "", unit: "a&", suffix: "" },
  { prefix: "", unit: "a=%00&", suffix: "" },
  { prefix: "", unit: "utm_source=%00&", suffix: "" },
  { prefix: "", unit: "?utm_a=1&", suffix: "" },
  { prefix: "", unit: "%20", suffix: "" },
  { prefix: "", unit: "%E2%80%9D", suffix: "+" },
  { prefix: "2026-05-01T10:00:00.", unit: "1", suffix: "x" },
  { prefix: "", unit: "\n--", suffix: "" },
  { prefix: "https://", unit: "xn--", suffix: ".com" },
  { prefix: "https://a.example/", unit: "\u0430", suffix: "" },
];

const bytes = (value: string) => new TextEncoder().encode(value);
const schemas: Readonly<Record<string, z.ZodType>> = {
  text: text(),
  "short text": text(100),
  "plain slug": plainSlug(),
  moment: isoMoment(),
  "whole number": wholeNumber(0, 9),
  email: email(),
};

/** The error of a list for its query, if any. */
function queryWith(search: URLSearchParams): unknown {
  try {
    return readQuery(z.object({ a: z.array(text(1)).optional() }), search, {
      repeatable: ["a"],
      unknown: "unknown_field",
    });
  } catch (error) {
    return error;
  }
}

const FUNCTIONS: Readonly<Record<string, (value: string) => unknown>> = {
  trimmed: (value) => trimmed({ value, list: [value] }),
  ...Object.fromEntries(
    Object.entries(schemas).map(([name, value]) => [
      `${name} of a schema`,
      (given: string) => check(z.object({ value }), { value: given }),
    ]),
  ),
  destinationProblem,
  normaliseHost,
  isSlugShaped,
  slugFromName: (value) => slugFromName(value, 120),
  withSuffix: (value) => withSuffix(value, 2, value.length),
  fold,
  splitNames,
  rowsOf: (value) => rowsOf(value, () => 0),
  parseAssetList,
  addressesIn,
  slugRefusal,
  damageOf: (value) => damageOf(`https://a.example/?${value}#${value}`),
  cleanAddress: (value) => cleanAddress(`/${value}`, ""),
  fromWrittenMoment: (value) => fromWrittenMoment(value, "Europe/Zurich"),
  toLinkReference: (value) => toLinkReference(value, { shortHost: "go.example.com" }),
  textOf: (value) => textOf(bytes(value)),
  parseEntityTags,
  deviceOf,
  formEncoding,
  "fields of a query": (value) => hasMoreFields(bytes(value), { type: "urlencoded" }, Infinity),
  "fields of parts": (value) => hasMoreFields(bytes(value), { type: "multipart", boundary: "--" }, Infinity),
  "headers of parts": (value) => hasLongPartHeader(bytes(value), "--"),
  oneLine,
  "failures of one field": (value) =>
    invalid(Array.from(value, (message) => ({ field: "a", message, code: "format" as const }))),
  "parameters of a query": (value) => queryWith(new URLSearchParams(value)),
  mergeVisitorQuery: (value) => mergeVisitorQuery(`https://a.example/?${value}`, value),
  composeTarget: (value) =>
    composeTarget(`https://a.example/?${value}`, {
      ...{ utm_source: "a", utm_medium: "b", utm_campaign: null },
      ...{ utm_term: "c", utm_content: null },
    }),
};

const SIZE = 16 * 1024;
/** Four times the text takes four times as long in linear time, and sixteen times in quadratic time. */
const MAX_GROWTH = 10;
/** Below this time, growth is noise of a busy machine. A quadratic function takes far longer at 64 KB. */
const NOISE_MS = 25;
const TRIES = 5;

const repeated = ({ prefix, unit, suffix }: Hostile, length: number): string =>
  prefix + unit.repeat(Math.ceil(length / unit.length)) + suffix;

/** The CPU time of a run. Unlike wall-clock time, it excludes other processes. */
function milliseconds(run: () => unknown): number {
  const begun = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1000;
}

/** Whether at least one try shows linear growth. Garbage collection can slow down the others. */
function isLinear(run: (value: string) => unknown, hostile: Hostile): boolean {
  const [small, large] = [repeated(hostile, SIZE), repeated(hostile, 4 * SIZE)];
  return Array.from({ length: TRIES }).some(() => {
    const before = milliseconds(() => run(small));
    const after = milliseconds(() => run(large));
    return after <= NOISE_MS || after < MAX_GROWTH * before;
  });
}

it.each(Object.entries(FUNCTIONS))("%s takes linear time, whatever a text repeats", (_, run) => {
  expect(HOSTILE.filter((hostile) => !isLinear(run, hostile))).toEqual([]);
});
