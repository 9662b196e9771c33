import { type DestinationField, destinationProblem } from "../../lib/destination";
import {
  eachField,
  LABEL_FIELD_NAMES,
  LABEL_FIELDS,
  MAX_CAMPAIGN_CHARACTERS,
  UTM_FIELD_NAMES,
  UTM_FIELDS,
  type UtmFieldName,
} from "../../lib/link-fields";
import {
  foldSlug,
  isSlugShaped,
  MAX_SLUG_CHARACTERS,
  RESERVED_SLUGS,
  SLUG_PATTERN,
} from "../../lib/slug-text";
import { ISO_MOMENT_RULE, parseIsoMoment } from "../../lib/time";
import { REMOVALS } from "./link-file";

// The fields of the file. The parser and the JSON Schema both derive from them.

export const VERSION = 1;
export const MAX_FILE_BYTES = 1_000_000;
export const MAX_LINKS = 10_000;
export const MAX_TAG_CHARACTERS = 100;
const MAX_NAME_CHARACTERS = 100;
const MAX_GROUP_CHARACTERS = 120;

/** A key names files and is shown in URLs of builds, so it is safe in a path. */
export const KEY_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
export const KEY_RULE =
  "must be 1 to 100 letters, digits, dots, hyphens or underscores, and start with a letter or digit";

/** A rule for one text. Messages complete a sentence that begins with the field. */
export interface TextRule {
  description: string;
  maxCharacters?: number;
  /** True if null clears the field. */
  canClear: boolean;
  /** For editors. The service's own rule is `problem`. */
  pattern?: string;
  notPattern?: string;
  values?: readonly string[];
  /** The broken rule of a trimmed text that is not empty. */
  problem(value: string): string | undefined;
}

const CONTROL = /\p{Cc}/u;

/** The service's rule for every text. */
export function textProblem(value: string, maxCharacters = Number.POSITIVE_INFINITY): string | undefined {
  if (!value.isWellFormed()) return "must be well-formed Unicode text";
  if (CONTROL.test(value)) return "must not contain control characters, such as line breaks";
  return [...value].length > maxCharacters
    ? `must not be longer than ${maxCharacters} characters`
    : undefined;
}

const text = (maxCharacters: number, description: string): TextRule => ({
  description,
  maxCharacters,
  canClear: true,
  problem: (value) => textProblem(value, maxCharacters),
});

const oneOf = (values: readonly string[], description: string): TextRule => ({
  description,
  canClear: false,
  values,
  problem: (value) => (values.includes(value) ? undefined : `must be one of ${values.join(", ")}`),
});

export function slugProblem(value: string): string | undefined {
  if (isSlugShaped(value)) return undefined;
  if (RESERVED_SLUGS.has(foldSlug(value))) return `"${value}" is reserved by the service`;
  return [...value].length > MAX_SLUG_CHARACTERS
    ? `must not be longer than ${MAX_SLUG_CHARACTERS} characters`
    : "must consist of letters, digits, hyphens and underscores, and start with a letter or digit";
}

/** The service's message without its subject. */
const urlFault =
  (field: DestinationField) =>
  (value: string): string | undefined =>
    destinationProblem(value, field)
      ?.message.replace(`The ${field.replace("_", " ")} field `, "")
      .replace(/\.$/, "");

/** The service's rule for the end of a link. Completes a sentence that begins with `ends_at`. */
export const endProblem = (
  start: string | null | undefined,
  end: string | null | undefined,
): string | undefined =>
  start != null && end != null && Date.parse(end) <= Date.parse(start)
    ? "must be a date after starts at"
    : undefined;

/** A pattern that matches a word in any case. Editors have no flag for it. */
const inAnyCase = (word: string): string =>
  word.replace(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`);

export const NAME: TextRule = {
  description:
    "Owns the external IDs that start with this name and a colon. Unique among the files of a workspace.",
  maxCharacters: MAX_NAME_CHARACTERS,
  canClear: false,
  pattern: "^[^:]+$",
  problem: (value) =>
    value.includes(":") ? "must not contain a colon" : textProblem(value, MAX_NAME_CHARACTERS),
};

export const ON_REMOVED = oneOf(
  REMOVALS,
  "What happens to a link whose key is removed from this file: archive (the default), delete or keep.",
);

export const SLUG: TextRule = {
  description:
    "The path of the short URL. Generated when absent. A new slug renames the link; the old one keeps working.",
  canClear: false,
  maxCharacters: MAX_SLUG_CHARACTERS,
  pattern: SLUG_PATTERN.source,
  notPattern: `^(?:${[...RESERVED_SLUGS].map(inAnyCase).join("|")})$`,
  problem: slugProblem,
};

const URL_SYNTAX = { maxCharacters: 2048, pattern: "^[Hh][Tt][Tt][Pp][Ss]?://" };

export const DESTINATION: TextRule = {
  ...URL_SYNTAX,
  description: "The URL that the link leads to.",
  canClear: false,
  problem: urlFault("destination_url"),
};

const MOMENT_PATTERN =
  "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}(?::\\d{2}(?:\\.\\d{1,9})?)?(?:Z|[+-]\\d{2}:\\d{2})$";

const moment = (description: string): TextRule => ({
  description: `${description} ISO 8601 with a zone, such as 2026-05-01T09:00:00Z. null clears it.`,
  canClear: true,
  pattern: MOMENT_PATTERN,
  problem: (value) => (parseIsoMoment(value) === undefined ? ISO_MOMENT_RULE : undefined),
});

export const STARTS_AT = moment("When the link opens.");
export const ENDS_AT = moment("When the link ends, after its start.");
export const ENDED_URL: TextRule = {
  ...URL_SYNTAX,
  description: "The URL that the link leads to after its end. null clears it.",
  canClear: true,
  problem: urlFault("ended_url"),
};

const plainText = ({ max, summary }: { max: number; summary: string }): TextRule =>
  text(max, `${summary}. null clears it.`);

export const LABELS = eachField(LABEL_FIELDS, (name) => plainText(LABEL_FIELDS[name]));
export const SHARED_LABEL_NAMES = LABEL_FIELD_NAMES.filter((name) => LABEL_FIELDS[name].isShared);
export const OWN_LABEL_NAMES = LABEL_FIELD_NAMES.filter((name) => !LABEL_FIELDS[name].isShared);

export const GROUP = text(
  MAX_GROUP_CHARACTERS,
  "The slug or ID of an Activity Group. null takes the link out of its group.",
);

export const INHERIT = "inherit";
/** The name under `utm`: `source` for `utm_source`. */
export const nameUnderUtm = (name: UtmFieldName): string => name.slice("utm_".length);
export const UTM = eachField(UTM_FIELDS, (name) => plainText(UTM_FIELDS[name]));
export const CAMPAIGN = text(
  MAX_CAMPAIGN_CHARACTERS,
  "utm_campaign: a text, or inherit (or null) for the default campaign of the link's group.",
);

export const TAGS_DESCRIPTION =
  "The full set of tags, by name. Tags that do not exist are created. [] or null takes all tags off.";
export const TAG = text(MAX_TAG_CHARACTERS, "The name of a tag.");

/** The names of fields at each level, in the order in which editors offer them. */
export const FILE_FIELDS = ["version", "name", "defaults", "on_removed", "links"] as const;
export const DEFAULT_FIELDS = [
  "group",
  ...SHARED_LABEL_NAMES,
  "tags",
  "utm",
  "ends_at",
  "ended_url",
] as const;
export const LINK_FIELDS = [
  "slug",
  "destination",
  ...LABEL_FIELD_NAMES,
  "group",
  "tags",
  "utm",
  "starts_at",
  "ends_at",
  "ended_url",
] as const;
export const UTM_FIELDS_OF_FILE: readonly string[] = [...UTM_FIELD_NAMES.map(nameUnderUtm), "campaign"];
