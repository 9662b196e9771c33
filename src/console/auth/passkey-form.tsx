import type { Child } from "hono/jsx";
import { ServiceError, tooManyAttempts } from "../../errors";
import { addressOf, countOne, isRefused } from "../../http/rate-limits";
import { Button } from "../shell/button";
import { type Form, type PageContext, readForm } from "../shell/page-request";
import { PostForm } from "../shell/post-form";

/** More than the answer of a passkey needs in either encoding. */
const MAX_PASSKEY_BYTES = 16 * 1024;

export const readPasskeyForm = (c: PageContext): Promise<Form> => readForm(c, MAX_PASSKEY_BYTES);

/** Runs what takes the answer of a passkey. An answer that is refused is counted for its address, and `show` says why. */
export async function takeAnswer(
  c: PageContext,
  run: () => Promise<Response>,
  show: (c: PageContext) => Response | Promise<Response>,
): Promise<Response> {
  const address = addressOf(c.req.raw);
  if (isRefused(c.env, "PASSKEY_RATE", address)) throw tooManyAttempts();
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== "passkey") throw error;
    if (!(await countOne(c.env, "PASSKEY_RATE", address))) throw tooManyAttempts();
    const { status, body, code } = error;
    c.var.trace.refusal = code;
    c.set("problem", { status, message: body.message, failures: [] });
    c.status(status);
    return show(c);
  }
}

/**
 * A form that sends the answer of a passkey. The script shows it where the browser has passkeys; it posts to `asks` for the
 * challenge.
 */
export const PasskeyForm = ({
  action,
  asks,
  label,
  children,
}: {
  action: string;
  asks: string;
  label: string;
  children?: Child;
}) => (
  <PostForm action={action} class="stack narrow" data-passkey={asks} hidden>
    {children}
    <div>
      <Button label={label} kind="primary" icon="passkey" />
    </div>
    <p class="refused" role="alert" data-said="" />
  </PostForm>
);
