import { MAX_TAGS_ON_LINK, UTM_FIELD_NAMES } from "../../lib/link-fields";
import {
  CAMPAIGN,
  DESTINATION,
  ENDED_URL,
  ENDS_AT,
  GROUP,
  KEY_PATTERN,
  KEY_RULE,
  LABELS,
  MAX_LINKS,
  NAME,
  nameUnderUtm,
  ON_REMOVED,
  OWN_LABEL_NAMES,
  SHARED_LABEL_NAMES,
  SLUG,
  STARTS_AT,
  TAG,
  TAGS_DESCRIPTION,
  type TextRule,
  UTM,
  VERSION,
} from "./fields";

type Schema = Readonly<Record<string, unknown>>;

function textSchema({ description, canClear, maxCharacters, pattern, notPattern, values }: TextRule): Schema {
  return {
    description,
    type: canClear ? ["string", "null"] : "string",
    ...(!canClear && { minLength: 1 }),
    ...(maxCharacters !== undefined && { maxLength: maxCharacters }),
    ...(pattern !== undefined && { pattern }),
    ...(notPattern !== undefined && { not: { pattern: notPattern } }),
    ...(values !== undefined && { enum: values }),
  };
}

const mapping = (description: string, properties: Schema, rest: Schema = {}): Schema => ({
  description,
  type: "object",
  additionalProperties: false,
  properties,
  ...rest,
});

const labelSchemas = (names: readonly (keyof typeof LABELS)[]): Schema =>
  Object.fromEntries(names.map((name) => [name, textSchema(LABELS[name])]));

const SHARED: Schema = {
  ...labelSchemas(SHARED_LABEL_NAMES),
  group: textSchema(GROUP),
  tags: {
    description: TAGS_DESCRIPTION,
    type: ["array", "null"],
    maxItems: MAX_TAGS_ON_LINK,
    items: textSchema({ ...TAG, canClear: false }),
  },
  utm: mapping(
    "UTM parameters. An absent one is left alone; null clears all of them.",
    {
      ...Object.fromEntries(UTM_FIELD_NAMES.map((name) => [nameUnderUtm(name), textSchema(UTM[name])])),
      campaign: textSchema(CAMPAIGN),
    },
    { type: ["object", "null"] },
  ),
  ends_at: textSchema(ENDS_AT),
  ended_url: textSchema(ENDED_URL),
};

const LINK = mapping(
  "A link. An absent field is left alone, null clears it.",
  {
    slug: textSchema(SLUG),
    destination: textSchema(DESTINATION),
    ...labelSchemas(OWN_LABEL_NAMES),
    starts_at: textSchema(STARTS_AT),
    ...SHARED,
  },
  { required: ["destination"] },
);

/** The JSON Schema of `waymark.yaml`, for editors. The parser also checks what a schema cannot say. */
export const fileSchema = (): Schema => ({
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "Links of Waymark kept in git",
  ...mapping(
    "The links that this file owns.",
    {
      version: { description: "The version of this format.", const: VERSION },
      name: textSchema(NAME),
      defaults: mapping("Fields of every link that does not give its own.", SHARED, {
        type: ["object", "null"],
      }),
      on_removed: { ...textSchema(ON_REMOVED), default: "archive" },
      links: {
        description: "Links by key. A key is stable: with another slug the link is renamed.",
        type: "object",
        maxProperties: MAX_LINKS,
        propertyNames: { description: `A key ${KEY_RULE}.`, pattern: KEY_PATTERN.source },
        additionalProperties: LINK,
      },
    },
    { required: ["version", "name", "links"] },
  ),
});
