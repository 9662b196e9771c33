import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { ServiceError } from "../errors";
import { findFieldsToResend, ResendForm } from "./resend-form";
import { showPage } from "./shell/layout";
import { NextStep } from "./shell/next-step";
import type { PageContext } from "./shell/request";

const TITLES: Readonly<Record<number, string>> = {
  401: "Signed out",
  403: "Not allowed",
  404: "Not found",
  413: "Too large",
  422: "That does not work",
  429: "Too many attempts",
  503: "Please try again",
};

/** A refused form is shown with its fields, so that nothing typed is lost. */
export async function showError(c: PageContext, error: ServiceError): Promise<Response> {
  c.var.trace.refusal = error.code;
  for (const [name, value] of Object.entries(error.headers)) c.header(name, value);
  const fields = await findFieldsToResend(c, error.status);
  const { pathname, search } = new URL(c.req.url);
  return showPage(
    c,
    { title: TITLES[error.status] ?? "Something went wrong", status: error.status as ContentfulStatusCode },
    <div class={fields === undefined ? "narrow card" : "narrow"}>
      <p>{error.body.message === "Not found." ? "There is no page at this address." : error.body.message}</p>
      {fields === undefined && <NextStep {...c.var} isMissing={error.status === 404} />}
      {fields && <ResendForm action={pathname + search} fields={fields} isSignedOut={error.status === 401} />}
    </div>,
  );
}
