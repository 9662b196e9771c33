import type { z } from "zod";
import { startOfDate } from "../../lib/local-day";
import { Field, type FieldProperties } from "../shell/form";

/** The fields with the expiry as a time: when its day begins in the time zone. Other texts stay as they are. */
export function withExpiryTime(
  { expires_at: day, ...fields }: Readonly<Record<string, string>>,
  timeZone: string,
): Record<string, string> {
  if (day === undefined) return fields;
  return { ...fields, expires_at: startOfDate(day.trim(), timeZone) ?? day };
}

/** Refuses an expiry that has passed. */
export const withFutureExpiry = <Input extends z.ZodType<{ expires_at?: number | null | undefined }>>(
  schema: Input,
  now: number,
) =>
  schema.refine(({ expires_at: at }) => at == null || at > now, {
    path: ["expires_at"],
    message: "The expires at field must be a day after today.",
  });

export const Expiry = ({
  timeZone,
  ...own
}: { timeZone: string } & Pick<FieldProperties, "name" | "value" | "problem">) => (
  <Field
    {...own}
    label="Expires on"
    type="date"
    hint={`It stops working when this day begins (${timeZone}). Without one it works until it is revoked.`}
  />
);
