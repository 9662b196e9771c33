import type { z } from "zod";
import { startOfDate } from "../../lib/local-day";
import { Field } from "../shell/form";
import type { Problem } from "../shell/problem";

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
  value,
  timeZone,
  problem,
}: {
  value: string | undefined;
  timeZone: string;
  problem: Problem | undefined;
}) => (
  <Field
    label="Expires on"
    name="expires_at"
    type="date"
    value={value}
    problem={problem}
    hint={`It stops working when this day begins (${timeZone}). Without one it works until it is revoked.`}
  />
);
