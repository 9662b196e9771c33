import * as z from "zod";
import {
  eachField,
  LABEL_FIELD_NAMES,
  LABEL_FIELDS,
  MAX_CAMPAIGN_CHARACTERS,
  MAX_TAGS_ON_LINK,
  MOMENT_FIELDS,
  TEXT_FIELDS,
  URL_FIELDS,
} from "../../lib/link-fields";
import { UTM_NAMES } from "../../lib/link-target";
import { MAX_SLUG_CHARACTERS, RESERVED_SLUGS, SLUG_PATTERN, spellings } from "../../lib/slug-text";
import { toHost } from "../api/host";
import { mapping, moment, plainText, text, url } from "./file-fields";
import { REMOVALS } from "./link-file";
import { RULES } from "./rule-schema";
import { hostRule, slugRule, type TextRule, textRule } from "./text-rules";

// The shape of `waymark.yaml`. The parser and the JSON Schema for editors are made from it. Its messages complete a sentence
// that begins with the field.

const VERSION = 1;
const MAX_LINKS = 10_000;
const MAX_NAME_CHARACTERS = 100;

/** A key names files and is shown in URLs of builds, so it is safe in a path. */
const KEY_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
const KEY_RULE =
  "must be 1 to 100 letters, digits, dots, hyphens or underscores, and start with a letter or digit";

const clearable = ({ max, summary }: { max: number; summary: string }) =>
  plainText(max, `${summary}. null clears it.`).nullish();

const labels = (isShared: boolean) => {
  const names = LABEL_FIELD_NAMES.filter((name) => LABEL_FIELDS[name].isShared === isShared);
  return Object.fromEntries(names.map((name) => [name, clearable(LABEL_FIELDS[name])]));
};

const MOMENTS = eachField(MOMENT_FIELDS, (name) => moment(`${MOMENT_FIELDS[name].summary}.`));

/** A pattern that matches a word in any case. Editors have no flag for it. */
const inAnyCase = (word: string): string =>
  word.replace(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`);

const SLUG = text(slugRule, {
  description:
    "The path of the short URL. Generated when absent. A new slug renames the link; the old one keeps working.",
  maxLength: MAX_SLUG_CHARACTERS,
  pattern: SLUG_PATTERN.source,
  not: { pattern: `^(?:${[...RESERVED_SLUGS].map(inAnyCase).join("|")})$` },
})
  .min(1)
  .optional();

const TAGS = z
  .array(plainText(100, "The name of a tag.").min(1), { error: "must be a list of names" })
  // The service finds a tag by its name without regard to case.
  .overwrite((names) => spellings(names).map(([, name]) => name))
  .max(MAX_TAGS_ON_LINK, `must not have more than ${MAX_TAGS_ON_LINK} tags`)
  .meta({
    description:
      "The full set of tags, by name. Tags that do not exist are created. [] or null takes all tags off.",
  })
  .nullish();

const CAMPAIGN = plainText(
  MAX_CAMPAIGN_CHARACTERS,
  "utm_campaign: a text, or inherit (or null) for the default campaign of the link's group.",
).nullish();
/** By the name under `utm`: `source` for `utm_source`. */
const parameter = (name: (typeof UTM_NAMES)[number]) =>
  [name.slice(4), name === "utm_campaign" ? CAMPAIGN : clearable(TEXT_FIELDS[name])] as const;
const UTM = mapping(Object.fromEntries(UTM_NAMES.map(parameter)))
  .meta({ description: "UTM parameters. An absent one is left alone; null clears all of them." })
  .nullish();

const DOMAIN = text(hostRule, {
  description:
    "The host of the short URL: a domain of the workspace, or the short host of the service. Without it a link stays where it is, and a new one is where the service puts it. null takes back that of the defaults.",
  maxLength: 253,
  pattern: "^[^\\s/?#@:%\\\\]+$",
})
  .overwrite((value) => toHost(value) ?? value)
  .nullish();

const SHARED = {
  domain: DOMAIN,
  group: plainText(
    120,
    "The slug or ID of an Activity Group. null takes the link out of its group.",
  ).nullish(),
  ...labels(true),
  tags: TAGS,
  utm: UTM,
  ends_at: MOMENTS.ends_at,
  ...eachField(URL_FIELDS, (name) => url(name, `${URL_FIELDS[name].summary}. null clears it.`).nullish()),
};

const LINK = mapping(
  {
    destination: url("destination_url", "The URL that the link leads to.").min(1),
    slug: SLUG,
    rules: RULES,
    ...labels(false),
    ...SHARED,
    ...MOMENTS,
  },
  "at least a destination",
).meta({ description: "A link. An absent field is left alone, null clears it." });

const LINKS = z
  .record(
    z
      .string()
      .regex(KEY_PATTERN)
      .meta({ description: `A key ${KEY_RULE}.` }),
    LINK,
    {
      // A file that was cut after `links:` would otherwise remove every link.
      error: ({ code }) =>
        code === "invalid_key"
          ? `a key ${KEY_RULE}`
          : "must be a mapping of keys to links. For no links write {}",
    },
  )
  .refine((links) => Object.keys(links).length <= MAX_LINKS, `must not have more than ${MAX_LINKS} links`)
  .meta({
    description: "Links by key. A key is stable: with another slug the link is renamed.",
    maxProperties: MAX_LINKS,
  });

const nameRule: TextRule = (value) =>
  value.includes(":") ? "must not contain a colon" : textRule(MAX_NAME_CHARACTERS)(value);

export const FILE = mapping({
  version: z
    .literal(VERSION, {
      error: ({ input }) =>
        input === undefined
          ? `is required: write "version: ${VERSION}"`
          : `must be ${VERSION}, the only one that this program knows`,
    })
    .meta({ description: "The version of this format." }),
  name: text(nameRule, {
    description:
      "Owns the external IDs that start with this name and a colon. Unique among the files of a workspace.",
    maxLength: MAX_NAME_CHARACTERS,
    pattern: "^[^:]+$",
  }).min(1),
  defaults: mapping(SHARED)
    .meta({ description: "Fields of every link that does not give its own." })
    .nullish(),
  on_removed: z
    .enum(REMOVALS, { error: `must be one of ${REMOVALS.join(", ")}` })
    .meta({
      description: "What happens to a link whose key is removed from this file. archive by default.",
      default: "archive",
    })
    .optional(),
  links: LINKS,
}).meta({ title: "Links of Waymark kept in git", description: "The links that this file owns." });

/** The JSON Schema of `waymark.yaml`, for editors. The parser also checks what a schema cannot say. */
export const fileSchema = () =>
  z.toJSONSchema(FILE, {
    override({ jsonSchema }) {
      const [value, nothing] = jsonSchema.anyOf ?? [];
      if (value === undefined || nothing?.type !== "null") return;
      // As people write it: a type of two names.
      delete jsonSchema.anyOf;
      Object.assign(jsonSchema, value, { type: [value.type, "null"] });
    },
  });
