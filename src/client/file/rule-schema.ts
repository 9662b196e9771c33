import * as z from "zod";
import { COUNTRY_CODES, LANGUAGE_CODES } from "../../lib/countries";
import { isUnconditional, MAX_RULE_COUNTRIES, MAX_RULE_LANGUAGES, MAX_RULES } from "../../lib/rules";
import { DEVICES } from "../../lib/visitor";
import { endProblem, type Rule } from "./rules";
import { mapping, moment, text, url } from "./values";

// The rules of a link in `waymark.yaml`.

const countryRule: Rule = (value) =>
  COUNTRY_CODES.has(value) ? undefined : "must be a country of ISO 3166-1 in capitals, such as CH";

const languageRule: Rule = (value) =>
  LANGUAGE_CODES.has(value) || /^[a-z]{3}$/.test(value)
    ? undefined
    : "must be a language of ISO 639 in lower case, such as fr";

const codes = (rule: Rule, pattern: string, max: number, description: string) =>
  z
    .array(text(rule, { pattern }), { error: "must be a list of codes" })
    .max(max, `must not have more than ${max} codes`)
    .meta({ description })
    .nullable();

const SHARE_RULE = "must be a whole number from 1 to 99";

const CONDITIONS = z
  .object({
    countries: codes(
      countryRule,
      "^[A-Z]{2}$",
      MAX_RULE_COUNTRIES,
      "Visitors from there: ISO 3166-1, or XK.",
    ),
    devices: z
      .array(z.enum(DEVICES, { error: `must be one of ${DEVICES.join(", ")}` }), {
        error: "must be a list of devices",
      })
      .meta({ description: "Visitors with such a device." })
      .nullable(),
    languages: codes(
      languageRule,
      "^[a-z]{2,3}$",
      MAX_RULE_LANGUAGES,
      "Visitors whose browser prefers one of these: ISO 639.",
    ),
    starts_at: moment("Visits from this time on."),
    ends_at: moment("Visits before this time."),
    share: z
      .int({ error: SHARE_RULE })
      .min(1, SHARE_RULE)
      .max(99, SHARE_RULE)
      .meta({ description: "So many of a hundred visits that come to this rule." })
      .nullable(),
  })
  .partial();

const DESTINATION = url("destination_url", "Where these visitors go.").min(1);
const RULE = mapping({ destination: DESTINATION, ...CONDITIONS.shape }).superRefine((rule, context) => {
  if (isUnconditional(rule)) context.addIssue("must have at least one condition");
  const message = endProblem(rule.starts_at, rule.ends_at);
  if (message !== undefined) context.addIssue({ code: "custom", message, path: ["ends_at"] });
});

export const RULES = z
  .array(RULE, { error: "must be a list of rules" })
  .max(MAX_RULES, `must not have more than ${MAX_RULES} rules`)
  .meta({
    description:
      "Lead some visitors elsewhere. All conditions of a rule must hold, and the first rule that holds is followed. [] or null removes all rules.",
  })
  .nullable();
