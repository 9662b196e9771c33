import * as z from "zod";
import type { DestinationField } from "../../lib/destination";
import { parseIsoMoment } from "../../lib/time";
import { momentRule, type TextRule, urlRule, visibleTextRule } from "./text-rules";

// The kinds of fields in `waymark.yaml`.

/** The problem of a number or boolean. The parser adds the value as it is written, because 3.10 is read as 3.1. */
export const NOT_TEXT = "must be a text. Put it in quotes";

function typeProblem(input: unknown, rule: TextRule): string {
  if (input === undefined) return "is required";
  if (input === null) return "must not be empty";
  // Quotes help only a value that is valid as a text.
  return typeof input === "object" ? "must be a text" : (rule(String(input)) ?? NOT_TEXT);
}

/** A text under a rule of the service. `shown` is what an editor knows of the rule. */
export const text = (rule: TextRule, shown: z.core.GlobalMeta) =>
  z
    .string({ error: ({ input }) => typeProblem(input, rule) })
    .superRefine((value, context) => {
      const message = rule(value);
      if (message !== undefined) context.addIssue({ code: "custom", message });
    })
    .meta(shown);

export const plainText = (maxLength: number, description: string) =>
  text(visibleTextRule(maxLength), { description, maxLength });

/** A mapping with these fields alone. The message for other fields is a list of the known ones. */
export const mapping = <Shape extends z.ZodRawShape>(
  shape: Shape,
  contents = Object.keys(shape).join(", "),
) =>
  z.strictObject(shape, {
    error: ({ code }) =>
      code === "unrecognized_keys" ? Object.keys(shape).join(", ") : `must be a mapping with ${contents}`,
  });

/** An instant, in UTC once it is parsed. */
export const moment = (description: string) =>
  text(momentRule, {
    description: `${description} ISO 8601 with a zone, such as 2026-05-01T09:00:00Z. null clears it.`,
    pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}(?::\\d{2}(?:\\.\\d{1,9})?)?(?:Z|[+-]\\d{2}:\\d{2})$",
  })
    .overwrite((value) => parseIsoMoment(value) ?? value)
    .nullish();

export const url = (field: DestinationField, description: string) =>
  text(urlRule(field), { description, maxLength: 2048, pattern: "^[Hh][Tt][Tt][Pp][Ss]?://" });
