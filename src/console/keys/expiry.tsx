import type { z } from "zod";
import { Field } from "../shell/form";
import type { Problem } from "../shell/problem";

/** Refuses an expiry that has passed. */
export const withFutureExpiry = <Input extends z.ZodType<{ expires_at?: number | null | undefined }>>(
  schema: Input,
  now: number,
) =>
  schema.refine(({ expires_at: at }) => at == null || at > now, {
    path: ["expires_at"],
    message: "The expires at field must be a day after today.",
  });

export const Expiry = ({ value, problem }: { value: string | undefined; problem: Problem | undefined }) => (
  <Field
    label="Expires on"
    name="expires_at"
    type="date"
    value={value}
    problem={problem}
    hint="It stops working when this day begins, in UTC. Without one it works until it is revoked."
  />
);
