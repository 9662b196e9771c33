import * as z from "zod";
import { COUNTRY_CODES, LANGUAGE_CODES } from "../../lib/countries";
import { DEVICES } from "../../lib/visitor";
import { isUnconditional, MAX_RULE_COUNTRIES, MAX_RULE_LANGUAGES, MAX_RULES } from "../../lib/visitor-rules";
import { mapping, moment, text, url } from "./file-fields";
import { endProblem, type TextRule } from "./text-rules";

const countryRule: TextRule = (value) =>
  COUNTRY_CODES.has(value) ? undefined : "must be a country of ISO 3166-1 in capitals, such as CH";

const languageRule: TextRule = (value) =>
  LANGUAGE_CODES.has(value) || /^[a-z]{3}$/.test(value)
    ? undefined
    : "must be a language of ISO 639 in lower case, such as fr";

/** A list of at most `max`, that null clears. `noun` is what its items are. */
const list = <Item extends z.ZodType>(item: Item, noun: string, max: number, description: string) =>
  z
    .array(item, { error: `must be a list of ${noun}` })
    .max(max, `must not have more than ${max} ${noun}`)
    .meta({ description })
    .nullish();

const COUNTRY = text(countryRule, { pattern: "^[A-Z]{2}$" });
const LANGUAGE = text(languageRule, { pattern: "^[a-z]{2,3}$" });
const SHARE_RULE = "must be a whole number from 1 to 99";

export const RULE = mapping({
  destination: url("destination_url", "Where these visitors go.").min(1),
  countries: list(COUNTRY, "codes", MAX_RULE_COUNTRIES, "Visitors from there: ISO 3166-1, or XK."),
  devices: z
    .array(z.enum(DEVICES, { error: `must be one of ${DEVICES.join(", ")}` }), {
      error: "must be a list of devices",
    })
    .meta({ description: "Visitors with such a device." })
    .nullish(),
  languages: list(
    LANGUAGE,
    "codes",
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
    .nullish(),
}).superRefine((rule, context) => {
  if (isUnconditional(rule)) context.addIssue("must have at least one condition");
  const message = endProblem(rule.starts_at, rule.ends_at);
  if (message !== undefined) context.addIssue({ code: "custom", message, path: ["ends_at"] });
});

export const RULES = list(
  RULE,
  "rules",
  MAX_RULES,
  "Lead some visitors elsewhere. All conditions of a rule must hold, and the first rule that holds is followed. [] or null removes all rules.",
);
