import { isoTimeOrNull } from "./time";

interface Field {
  label: string;
  /** In the package: the help of the command, the schemas of `waymark.yaml` and MCP. Ends without a full stop. */
  summary: string;
  description: string;
  example: string;
  /** Column names in imports, most specific first. Lower case, without spaces, underscores and hyphens. */
  headings: string;
}

interface TextField extends Field {
  max: number;
}

interface LabelField extends TextField {
  hint: string;
  /** Whether links may have it in common: the `defaults` of `waymark.yaml` give it to all, and the next of several new ones keeps it. */
  isShared: boolean;
}

// The plain fields of a link. API schemas, rows, audit entries, reverts, import, export and forms derive from these lists,
// and so do the file, the command and the MCP schemas of the package.

export const LABEL_FIELDS = {
  title: {
    label: "Title",
    summary: "The title",
    hint: "For people of the workspace. Visitors do not see it.",
    isShared: false,
    description: "For people of the workspace. Visitors do not see it.",
    max: 255,
    example: "Summer sale",
    headings: "title linktitle description titel bezeichnung titre titulo titolo",
  },
  channel: {
    label: "Channel",
    summary: "The channel, such as poster or newsletter",
    hint: "Where the link will be seen, such as newsletter or poster",
    isShared: true,
    description: "Where the link is used, such as a poster. The assignment to a group has the same channel.",
    max: 120,
    example: "newsletter",
    headings: "channel kanal canal canale",
  },
} as const satisfies Record<string, LabelField>;

export const KEY_FIELDS = {
  external_id: {
    label: "External ID",
    summary: "Your own stable key of the link",
    description:
      "The client's own key, unique among the workspace's links, compared exactly. It stays when the slug changes. The name before a colon is that of the links file or program that owns the link.",
    max: 255,
    example: "site:home-hero",
    headings: "externalid",
  },
} as const satisfies Record<string, TextField>;

/** Its column in imports has its name without the underscore. */
const utmField = (name: string, example: string): TextField => ({
  label: name,
  summary: name,
  description: "Added to the destination at each visit.",
  max: 255,
  example,
  headings: name.replace("_", ""),
});

/** The UTM parameters before the campaign, which may come from an Activity Group. */
export const UTM_FIELDS = {
  utm_source: utmField("utm_source", "newsletter"),
  utm_medium: utmField("utm_medium", "email"),
};

/** The UTM parameters that the interface has after the campaign. */
export const UTM_DETAIL_FIELDS = {
  utm_term: utmField("utm_term", "summer shoes"),
  utm_content: utmField("utm_content", "blue-button"),
};

/** Times. A row has milliseconds since the epoch; everything else has ISO 8601 in UTC. */
export const MOMENT_FIELDS = {
  starts_at: {
    label: "Opens",
    summary: "When the link opens",
    description: "Before this time, visitors get 404 and a page that says that the link is not open yet.",
    example: "2026-06-01T08:00:00.000Z",
    headings:
      "startsat startdatum beginn start datededebut datedebut debut fechadeinicio inicio datadiinizio datainizio inizio",
  },
  ends_at: {
    label: "Ends",
    summary: "When the link ends, after its start",
    description:
      "From this time on, visitors are sent to `ended_url`, else to that of the link's Activity Group, else they get 410 and a page that says that the link has ended. Null, the link may end with its group, if the group says so.",
    example: "2026-08-31T22:00:00.000Z",
    headings:
      "endsat expiresat enddatum ablaufdatum ende datedefin datefin fechadefin fin datadifine datafine fine",
  },
} as const satisfies Record<string, Field>;

export const URL_FIELDS = {
  ended_url: {
    label: "After the end",
    summary: "Where the link leads after its end",
    description:
      "Where visitors are sent after the end. Neither UTM parameters nor the visitor's own query are added.",
    example: "https://www.example.com/sale-is-over",
    headings: "endedurl expiredurl",
  },
} as const satisfies Record<string, Field>;

/** The days that a start and an end were given as; null for times. The interface knows the times alone. */
export const DAY_FIELDS = { starts_on: {}, ends_on: {} } as const;

/** When a link is open, and what follows. Every visit depends on these fields. */
export const WINDOW_FIELDS = { ...MOMENT_FIELDS, ...URL_FIELDS };

/** What chats and networks show of a link, where the operator allows it. */
export const PREVIEW_FIELDS = {
  preview_title: { label: "Title in chats", headings: "previewtitle" },
  preview_text: { label: "Text in chats", headings: "previewtext" },
  preview_image_url: { label: "Picture in chats", headings: "previewimageurl" },
} as const;

/** What forms and files say of a link, and the interface does not. */
export const FORM_FIELDS = {
  note: { label: "Note", headings: "note notes comments notiz bemerkung remarque nota" },
  ...PREVIEW_FIELDS,
} as const;

/** Of a link or an Activity Group. */
export const MAX_NOTE_CHARACTERS = 2_000;
export const MAX_CAMPAIGN_CHARACTERS = 255;
export const MAX_TAGS_ON_LINK = 50;

/** The values of campaigns that links are filtered by, and that the page "Values" keeps in order. */
export const VALUE_FIELDS = {
  utm_source: { label: "Source", max: UTM_FIELDS.utm_source.max },
  utm_medium: { label: "Medium", max: UTM_FIELDS.utm_medium.max },
  utm_campaign: { label: "Campaign", max: MAX_CAMPAIGN_CHARACTERS },
  utm_term: { label: "Term", max: UTM_DETAIL_FIELDS.utm_term.max },
  utm_content: { label: "Content", max: UTM_DETAIL_FIELDS.utm_content.max },
  channel: { label: "Channel", max: LABEL_FIELDS.channel.max },
} as const;

export const TEXT_FIELDS = { ...LABEL_FIELDS, ...KEY_FIELDS, ...UTM_FIELDS, ...UTM_DETAIL_FIELDS };

export const namesOf = <Fields extends object>(fields: Fields) => Object.keys(fields) as (keyof Fields)[];

export type TextFieldName = keyof typeof TEXT_FIELDS;
export const TEXT_FIELD_NAMES = namesOf(TEXT_FIELDS);
export type LabelFieldName = keyof typeof LABEL_FIELDS;
export const LABEL_FIELD_NAMES = namesOf(LABEL_FIELDS);
export const KEY_FIELD_NAMES = namesOf(KEY_FIELDS);
export const UTM_FIELD_NAMES = namesOf(UTM_FIELDS);
export const UTM_DETAIL_NAMES = namesOf(UTM_DETAIL_FIELDS);
export type MomentFieldName = keyof typeof MOMENT_FIELDS;
export type UrlFieldName = keyof typeof URL_FIELDS;
export type WindowFieldName = keyof typeof WINDOW_FIELDS;
export const WINDOW_FIELD_NAMES = namesOf(WINDOW_FIELDS);
export const MOMENT_FIELD_NAMES = namesOf(MOMENT_FIELDS);
export const DAY_FIELD_NAMES = namesOf(DAY_FIELDS);
export const URL_FIELD_NAMES = namesOf(URL_FIELDS);
export const PREVIEW_FIELD_NAMES = namesOf(PREVIEW_FIELDS);
export const FORM_FIELD_NAMES = namesOf(FORM_FIELDS);
export type ValueFieldName = keyof typeof VALUE_FIELDS;
export const VALUE_FIELD_NAMES = namesOf(VALUE_FIELDS);

export const LINK_SORTS = [
  "-created_at",
  "created_at",
  "-updated_at",
  "updated_at",
  "slug",
  "title",
] as const;

export const eachField = <Fields extends object, T>(
  fields: Fields,
  toValue: (name: keyof Fields) => T,
): Record<keyof Fields, T> =>
  Object.fromEntries(namesOf(fields).map((name) => [name, toValue(name)])) as Record<keyof Fields, T>;

export const eachTextField = <T>(toValue: (name: TextFieldName) => T): Record<TextFieldName, T> =>
  eachField(TEXT_FIELDS, toValue);

export const writtenWindow = (
  row: Record<MomentFieldName, number | null> & Record<UrlFieldName, string | null>,
): Record<WindowFieldName, string | null> => ({
  ...eachField(MOMENT_FIELDS, (name) => isoTimeOrNull(row[name])),
  ...eachField(URL_FIELDS, (name) => row[name]),
});
