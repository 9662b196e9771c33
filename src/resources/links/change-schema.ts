import { z } from "@hono/zod-openapi";
import { MAX_CHARACTERS as MAX_DESTINATION_CHARACTERS } from "../../lib/destination";
import { eachField, UTM_DETAIL_FIELDS, UTM_FIELDS } from "../../lib/link-fields";
import { text } from "../../lib/validation";
import * as inputs from "./input-schema";

const MAX_CHANGED_LINKS = 100;
const CHANGES = ["tag", "untag", "move", "domain", "set", "replace", "archive", "restore"] as const;

type Needed = readonly [field: "tag" | "domain" | "set" | "find", message: string];

const NEEDED: Partial<Record<(typeof CHANGES)[number], Needed>> = {
  tag: ["tag", "Choose a tag."],
  untag: ["tag", "Choose a tag."],
  domain: ["domain", "Choose a domain."],
  set: ["set", "Choose a field."],
  replace: ["find", "Enter the text to find."],
};

export const settableFields = z.object({
  ...eachField(UTM_FIELDS, inputs.input),
  utm_campaign: inputs.campaign(""),
  ...eachField(UTM_DETAIL_FIELDS, inputs.input),
  channel: inputs.input("channel"),
  ...inputs.dateInputs,
});

/** A change of many links in the web application; a null group removes them from their groups. */
export const changeLinksSchema = z
  .object({
    ids: z
      .array(text(26))
      .min(1, "Choose at least one link.")
      .max(MAX_CHANGED_LINKS, `Choose at most ${MAX_CHANGED_LINKS} links.`),
    change: z.enum(CHANGES),
    tag: text(26).nullish(),
    activity_group_id: text(120).nullish(),
    domain: text(253).nullish(),
    /** What `set` gives to every link. */
    set: settableFields.partial().optional(),
    /** What `replace` finds in destinations, and what it writes instead; null for nothing. */
    find: text(MAX_DESTINATION_CHARACTERS).nullish(),
    replacement: text(MAX_DESTINATION_CHARACTERS).nullish(),
  })
  .superRefine(({ change, ...given }, context) => {
    const [field, message] = NEEDED[change] ?? [];
    if (field !== undefined && given[field] == null)
      context.addIssue({ code: "custom", path: [field], message });
  })
  .refine(({ change, find, replacement }) => find !== replacement || change !== "replace", {
    path: ["replacement"],
    message: "This is the text that is found, so nothing would change.",
  });

export type ChangeLinks = z.output<typeof changeLinksSchema>;
