import { z } from "@hono/zod-openapi";
import { destination, text } from "../../lib/validation";

/** The pages that a workspace may say something of its own on. */
export const OWN_PAGES = ["unknown", "ended"] as const;

/** The languages of pages for visitors, with their names for owners. */
export const PAGE_LANGUAGES = {
  en: "English",
  de: "German",
  fr: "French",
  it: "Italian",
  es: "Spanish",
  pt: "Portuguese",
  nl: "Dutch",
  pl: "Polish",
} as const;

const MAX_SENTENCE_CHARACTERS = 300;
const MAX_LABEL_CHARACTERS = 40;

type SentenceField = `${(typeof OWN_PAGES)[number]}_${keyof typeof PAGE_LANGUAGES}`;

/** A field for each page and language. */
export const SENTENCE_FIELDS = OWN_PAGES.flatMap((page) =>
  Object.keys(PAGE_LANGUAGES).map((language) => `${page}_${language}` as SentenceField),
);

const ownTexts = Object.fromEntries(
  SENTENCE_FIELDS.map((name) => [name, text(MAX_SENTENCE_CHARACTERS).nullish()]),
) as Record<SentenceField, z.ZodOptional<z.ZodNullable<z.ZodString>>>;

/** What owners change of pages for visitors, beside name and colour. Null clears a field. */
export const changedBranding = z.object({
  ...ownTexts,
  button_label: text(MAX_LABEL_CHARACTERS).nullish(),
  button_url: destination().nullish(),
});

export type ChangedBranding = z.output<typeof changedBranding>;
