import * as z from "zod";
import { MAX_RULES } from "../../lib/rules";
import { DEVICES } from "../../lib/visitor";

const codes = (description: string) => z.array(z.string()).nullable().exactOptional().describe(description);
const moment = (description: string) => z.string().nullable().exactOptional().describe(description);

const rule = z.strictObject({
  destination_url: z.string(),
  countries: codes("ISO 3166-1, such as CH"),
  devices: z.array(z.enum(DEVICES)).nullable().exactOptional(),
  languages: codes("ISO 639, such as fr"),
  starts_at: moment("ISO 8601 with a zone"),
  ends_at: moment("ISO 8601 with a zone"),
  share: z
    .int()
    .min(1)
    .max(99)
    .nullable()
    .exactOptional()
    .describe("Of a hundred visits that come to this rule"),
});

export const rulesSchema = z
  .array(rule)
  .describe(
    `Lead some visitors elsewhere. All conditions of a rule must hold, each rule has at least one, and the first that holds is followed. At most ${MAX_RULES}. The list replaces all rules of the link`,
  );

/** A later service may add fields. */
export const shownRulesSchema = z
  .array(z.looseObject(rule.shape))
  .describe("The first that holds is followed");
