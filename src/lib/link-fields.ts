interface TextField {
  /** Label in the web application. */
  label: string;
  /** For the OpenAPI document. */
  description: string;
  /** In Unicode code points. */
  max: number;
  example: string;
  /** Column names in imports, most specific first. Lower case, without spaces, underscores and hyphens. */
  headings: string;
}

// The text fields of a link. API schemas, rows, audit entries, reverts, import, export and forms derive from these lists.

/** Descriptive texts that visitors do not see. */
export const LABEL_FIELDS = {
  title: {
    label: "Title",
    description: "For people of the workspace. Visitors do not see it.",
    max: 255,
    example: "Summer sale",
    headings: "title linktitle description",
  },
  channel: {
    label: "Channel",
    description: "Where the link is used, such as a poster. The assignment to a group has the same channel.",
    max: 120,
    example: "newsletter",
    headings: "channel",
  },
} as const satisfies Record<string, TextField>;

/** The client's own key of a link, unique in its workspace. */
export const KEY_FIELDS = {
  external_id: {
    label: "External ID",
    description:
      "The client's own key, unique among the workspace's links, compared exactly. It stays when the slug changes.",
    max: 255,
    example: "site:home-hero",
    headings: "externalid",
  },
} as const satisfies Record<string, TextField>;

const ADDED_AT_VISIT = "Added to the destination at each visit.";

/** UTM parameters without the campaign, which may come from an Activity Group. */
export const UTM_FIELDS = {
  utm_source: {
    label: "utm_source",
    description: ADDED_AT_VISIT,
    max: 255,
    example: "newsletter",
    headings: "utmsource",
  },
  utm_medium: {
    label: "utm_medium",
    description: ADDED_AT_VISIT,
    max: 255,
    example: "email",
    headings: "utmmedium",
  },
} as const satisfies Record<string, TextField>;

export const MAX_CAMPAIGN_CHARACTERS = 255;
export const MAX_TAGS_ON_LINK = 50;

export const TEXT_FIELDS = { ...LABEL_FIELDS, ...KEY_FIELDS, ...UTM_FIELDS };

const namesOf = <Fields extends object>(fields: Fields) => Object.keys(fields) as (keyof Fields)[];

export type TextFieldName = keyof typeof TEXT_FIELDS;
export const TEXT_FIELD_NAMES = namesOf(TEXT_FIELDS);
export const LABEL_FIELD_NAMES = namesOf(LABEL_FIELDS);
export const KEY_FIELD_NAMES = namesOf(KEY_FIELDS);
export const UTM_FIELD_NAMES = namesOf(UTM_FIELDS);

/** Builds an object with a value per field. */
export const eachField = <Fields extends object, T>(
  fields: Fields,
  toValue: (name: keyof Fields) => T,
): Record<keyof Fields, T> =>
  Object.fromEntries(namesOf(fields).map((name) => [name, toValue(name)])) as Record<keyof Fields, T>;

export const eachTextField = <T>(toValue: (name: TextFieldName) => T): Record<TextFieldName, T> =>
  eachField(TEXT_FIELDS, toValue);
