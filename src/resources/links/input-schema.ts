import { z } from "@hono/zod-openapi";
import { COUNTRY_CODES, LANGUAGE_CODES } from "../../lib/countries";
import type { Fault } from "../../lib/failure";
import {
  eachField,
  KEY_FIELDS,
  MAX_CAMPAIGN_CHARACTERS,
  MAX_NOTE_CHARACTERS,
  MAX_TAGS_ON_LINK,
  MOMENT_FIELDS,
  type MomentFieldName,
  TEXT_FIELDS,
  type TextFieldName,
  URL_FIELDS,
  type UrlFieldName,
  WINDOW_FIELDS,
  type WindowFieldName,
} from "../../lib/link-fields";
import {
  foldSlug,
  isSlugShaped,
  MAX_SLUG_CHARACTERS,
  RESERVED_SLUGS,
  SLUG_PATTERN,
} from "../../lib/slug-text";
import {
  anyText,
  dayOrMoment,
  destination,
  lines,
  refusal,
  refusedBy,
  text,
  utcMoment,
} from "../../lib/validation";
import { DEVICES } from "../../lib/visitor";
import {
  isUnconditional,
  MAX_RULE_COUNTRIES,
  MAX_RULE_DEVICES,
  MAX_RULE_LANGUAGES,
  MAX_RULES,
} from "../../lib/visitor-rules";
import { tooManyTags } from "./link-errors";

// The inputs of a link, with their part of the OpenAPI document.

export const CAMPAIGN = { maxLength: MAX_CAMPAIGN_CHARACTERS, example: "summer_2026" };
export const DESTINATION = {
  maxLength: 2048,
  pattern: "^[Hh][Tt][Tt][Pp][Ss]?://",
  example: "https://www.example.com/sale?colour=blue",
};

export const destinationUrl = () =>
  destination().openapi({
    description:
      "An http or https URL with a public host name. Refused are user names, IP addresses, internal names, link shorteners, this service itself and imitated letters.",
    ...DESTINATION,
  });

/** What the document says of a plain field. */
export const shown = (name: TextFieldName | WindowFieldName) => {
  const { description, example, ...field } = { ...TEXT_FIELDS, ...WINDOW_FIELDS }[name];
  if ("max" in field) return { description, example, maxLength: field.max };
  const { maxLength, pattern } = DESTINATION;
  return { description, example, ...(name in URL_FIELDS ? { maxLength, pattern } : { format: "date-time" }) };
};

export const moment = (name: MomentFieldName) => {
  const { description, ...others } = shown(name);
  const zone = "ISO 8601 with a zone. It may lie in the past.";
  const order = name === "ends_at" ? " The end is after the start." : "";
  return utcMoment()
    .nullish()
    .openapi({ ...others, type: ["string", "null"], description: `${description} ${zone}${order}` });
};

export const url = (name: UrlFieldName) => {
  const { description, ...others } = shown(name);
  return destination()
    .nullish()
    .openapi({ ...others, description: `${description} All rules of \`destination_url\` apply.` });
};

const listOf = (max: number, item: z.ZodType<string>, description: string) =>
  z.array(item).max(max).nullish().openapi({ description });

const code = (pattern: string, isKnown: (value: string) => boolean, example: string) =>
  z
    .string()
    .superRefine((value, context) => {
      if (!isKnown(value)) context.addIssue(refusal({ reason: "not_offered" }));
    })
    .openapi({ pattern, example });

const rule = () =>
  z
    .object({
      destination_url: destinationUrl(),
      countries: listOf(
        MAX_RULE_COUNTRIES,
        code("^[A-Z]{2}$", (value) => COUNTRY_CODES.has(value), "CH"),
        "Codes of ISO 3166-1, and `XK`.",
      ),
      devices: z
        .array(z.enum(DEVICES))
        .max(MAX_RULE_DEVICES)
        .nullish()
        .openapi({ description: "By the user agent. An unknown one is `desktop`." }),
      languages: listOf(
        MAX_RULE_LANGUAGES,
        code("^[a-z]{2,3}$", (value) => /^[a-z]{3}$/.test(value) || LANGUAGE_CODES.has(value), "fr"),
        "Codes of ISO 639. A visitor has the language that `Accept-Language` prefers, without its region.",
      ),
      starts_at: utcMoment()
        .nullish()
        .openapi({ description: "The rule holds from this time on.", format: "date-time" }),
      ends_at: utcMoment()
        .nullish()
        .openapi({ description: "The rule holds before this time.", format: "date-time" }),
      share: z
        .int()
        .superRefine((value, context) => {
          if (value < 1 || value > 99) context.addIssue(refusal({ reason: "range", min: 1, max: 99 }));
        })
        .nullish()
        .openapi({
          description: "Of a hundred visits that come to this rule. Drawn anew at each visit.",
          minimum: 1,
          maximum: 99,
          example: 50,
        }),
    })
    .superRefine((given, context) => {
      if (isUnconditional(given)) context.addIssue(refusedBy("must have at least one condition", "required"));
      if (given.starts_at != null && given.ends_at != null && given.ends_at <= given.starts_at)
        context.addIssue({ ...refusal({ reason: "ends_too_early" }), path: ["ends_at"] });
    })
    .openapi("RuleRequest");

export const rules = (more = "") =>
  z
    .array(rule())
    .max(MAX_RULES)
    .nullish()
    .openapi({
      description: `Lead some visitors elsewhere: all conditions of a rule must hold, each has at least one, and the first rule that holds is followed. Else a visitor goes to \`destination_url\`.${more}`,
    });

const slugFault = (value: string): Fault => {
  if (RESERVED_SLUGS.has(foldSlug(value))) return { reason: "reserved", slug: value };
  if ([...value].length <= MAX_SLUG_CHARACTERS) return { reason: "slug" };
  return { reason: "too_many_characters", max: MAX_SLUG_CHARACTERS };
};

const SLUG_PROSE =
  "1 to 64 letters, digits, `-` and `_`, first a letter or digit. It is matched without regard to case, and not `api`, `app`, `assets`, `cdn-cgi`, `docs` or `health`. A slug belongs for ever to the workspace that used it first.";

export const slug = (more: string) =>
  z
    .string()
    .superRefine((value, context) => {
      if (!isSlugShaped(value)) context.addIssue(refusal(slugFault(value)));
    })
    .openapi({
      description: `${SLUG_PROSE} ${more}`,
      pattern: SLUG_PATTERN.source,
      example: "summer",
    });

export const domain = (more: string) =>
  text(253).openapi({
    description: `The host of the short URL: a proved domain of the workspace, or the short host of the service.${more}`,
    example: "go.example.com",
  });

export const input = (name: TextFieldName) =>
  (name in KEY_FIELDS ? anyText : text)(TEXT_FIELDS[name].max).nullish().openapi(shown(name));
export const campaign = (description: string) =>
  text(MAX_CAMPAIGN_CHARACTERS)
    .nullish()
    .openapi({ description, ...CAMPAIGN });
export const activityGroupId = (more: string) =>
  text()
    .nullish()
    .openapi({
      description: `The id or slug of an Activity Group of any status.${more}`,
      example: "summer-2026",
    });

const TAG_IDS = `Ids of tags, at most ${MAX_TAGS_ON_LINK}. Duplicates are merged.`;
const TAG_NAMES = `Names of tags, without regard to case, in place of \`tag_ids\`: at most ${MAX_TAGS_ON_LINK}, not together with them.`;

const tagList = (field: "tag_ids" | "tag_names", item: z.ZodType<string>, description: string) => {
  const fits = (values: readonly string[]) => values.length <= MAX_TAGS_ON_LINK;
  return z
    .array(item)
    .refine(fits, { ...refusal(tooManyTags(field)), when: ({ value }) => Array.isArray(value) })
    .max(MAX_TAGS_ON_LINK)
    .openapi({ description });
};

const tagId = () => text().openapi({ example: "01JZ8Q4V6T3K9M2N5P7R8S0W1X" });
export const tagIds = (more = "") => tagList("tag_ids", tagId(), TAG_IDS + more);
export const tagNames = (more = "") =>
  tagList("tag_names", text(100).openapi({ example: "Summer sale" }), TAG_NAMES + more);

/** In forms and files a start or end is a day or a time. */
export const dateInputs = eachField(MOMENT_FIELDS, () => dayOrMoment().nullish());

/** What forms and files say of a link, and the interface does not. */
export const formInputs = {
  note: lines(MAX_NOTE_CHARACTERS).nullish(),
  preview_title: text(120).nullish(),
  preview_text: text(300).nullish(),
  preview_image_url: destination().nullish(),
};

export const BOTH_TAG_FIELDS = {
  path: ["tag_names"],
  ...refusedBy("cannot be sent together with tag ids", "exclusive"),
  // Also runs if other fields are invalid, so that all failures are reported at once.
  when: ({ value }: { value: unknown }) => typeof value === "object" && value !== null,
};
