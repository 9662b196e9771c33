import type { z } from "zod";
import { startOfDate } from "../../lib/local-day";
import { Field } from "../shell/form";
import { checked, type Form, type PageContext } from "../shell/request";
import { currentZone } from "../shell/text";

interface WithExpiry {
  expires_at?: number | null | undefined;
}

/** The input of a form with an expiry: a day after today, which begins in the workspace's time zone. */
export function checkedWithExpiry<Input extends WithExpiry>(
  c: PageContext,
  schema: z.ZodType<Input>,
  { fields }: Form,
): Input {
  const { workspace, now } = c.var.ctx;
  const { expires_at: day = "" } = fields;
  const withFutureExpiry = schema.refine(({ expires_at: at }) => at == null || at > now(), {
    path: ["expires_at"],
    message: "The expires at field must be a day after today.",
  });
  return checked(withFutureExpiry, {
    ...fields,
    expires_at: startOfDate(day.trim(), workspace.timeZone) ?? day,
  });
}

export const Expiry = () => (
  <Field
    name="expires_at"
    label="Expires on"
    type="date"
    hint={`It stops working when this day begins (${currentZone()}). Without one it works until it is revoked.`}
  />
);
