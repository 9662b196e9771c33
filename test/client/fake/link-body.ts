import type { UpdateLink } from "../../../src/client/api/resources";
import { eachField, LABEL_FIELDS } from "../../../src/lib/link-fields";
import { isUnconditional, type Rule, toRules } from "../../../src/lib/rules";
import { parseIsoMoment } from "../../../src/lib/time";
import {
  type Body,
  invalid,
  type Problem,
  required,
  textProblems,
  trimmed,
  unknownFields,
  words,
} from "./state";

const LIMITS = {
  destination_url: 2048,
  slug: 64,
  domain: 253,
  ...eachField(LABEL_FIELDS, (name) => LABEL_FIELDS[name].max),
  external_id: 255,
  activity_group_id: 120,
  utm_source: 255,
  utm_medium: 255,
  utm_campaign: 255,
  starts_at: Number.POSITIVE_INFINITY,
  ends_at: Number.POSITIVE_INFINITY,
  ended_url: 2048,
};
export const CREATE_FIELDS = [...Object.keys(LIMITS), "rules", "tag_ids", "tag_names"];
export const UPDATE_FIELDS = [...CREATE_FIELDS, "status"];
export const MOMENTS = ["starts_at", "ends_at"] as const;
const URLS = ["destination_url", "ended_url"] as const;
const SLUG_RULE =
  "The slug field must be 1 to 64 letters, digits, hyphens or underscores and start with a letter or digit.";

const requestedRules = (body: Body) => (body["rules"] ?? []) as NonNullable<UpdateLink["rules"]>;

const ruleProblems = (body: Body): Problem[] =>
  requestedRules(body).flatMap((rule, index) => {
    const field = `rules.${index}`;
    const message = `The ${field} field must have at least one condition.`;
    return isUnconditional(rule) ? [{ field, message, code: "required" }] : [];
  });

const inUtc = (moment: string | null): string | null =>
  moment === null ? null : (parseIsoMoment(moment) ?? moment);

/** The rules of a valid body as a link has them. */
export const readRules = (body: Body): Rule[] =>
  toRules(requestedRules(body)).map((rule) => ({
    ...rule,
    starts_at: inUtc(rule.starts_at),
    ends_at: inUtc(rule.ends_at),
  }));

function formatProblems(body: Body): Problem[] {
  const { slug, status } = body;
  const problems: Problem[] = [];
  const format = (field: string, message: string) => problems.push({ field, message, code: "format" });
  for (const field of URLS) {
    const url = body[field];
    if (typeof url === "string" && !/^https?:\/\/[^\s@/]+\.[a-z]{2,}(?:[/?#]\S*)?$/i.test(url)) {
      format(field, `The ${words(field)} field must be a valid URL.`);
    }
  }
  for (const field of MOMENTS) {
    const moment = body[field];
    if (typeof moment !== "string" || parseIsoMoment(moment) !== undefined) continue;
    const rule = "must be an ISO 8601 time with a zone, such as 2026-05-01T09:00:00Z.";
    format(field, `The ${words(field)} field ${rule}`);
  }
  if (typeof slug === "string" && !/^[a-z0-9][a-z0-9_-]*$/i.test(slug)) {
    format("slug", SLUG_RULE);
  }
  if (status !== undefined && status !== "active" && status !== "archived") {
    problems.push({ field: "status", message: "The selected status is invalid.", code: "enum" });
  }
  return problems;
}

/** The trimmed body with moments in UTC. Throws if a field is not valid in itself. */
export function readBody(
  input: Body,
  known: readonly string[],
  cannotBeNull: readonly string[],
  strict: boolean,
): Body {
  const body: Record<string, unknown> = Object.fromEntries(
    Object.entries(input).map(([field, value]) => [field, trimmed(value)]),
  );
  const missing = cannotBeNull.filter((field) => body[field] === null).map(required);
  const problems = [
    ...missing,
    ...textProblems(body, LIMITS),
    ...formatProblems(body),
    ...ruleProblems(body),
  ];
  if (strict) problems.push(...unknownFields(Object.keys(body), known));
  if (problems.length > 0) throw invalid(problems);
  for (const field of MOMENTS) {
    const moment = body[field];
    if (typeof moment === "string") body[field] = parseIsoMoment(moment);
  }
  return body;
}
