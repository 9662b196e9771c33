import type { Child } from "hono/jsx";
import type { z } from "zod";
import { getApiKey, type IssuedApiKey } from "../../access/keys";
import { parseJsonObject } from "../../lib/json";
import { endOfDateIn } from "../../lib/local-time";
import { refusedBy } from "../../lib/validation";
import type { Repeat } from "../shell/answer-form";
import { ButtonLink, Copied } from "../shell/button";
import { href } from "../shell/href";
import { Notice, Page, redirectWithNotice } from "../shell/layout";
import { checked, type Form, type PageContext } from "../shell/page-request";
import { Field } from "../shell/post-form";
import { Card, currentZone, quoted } from "../shell/text";
import { zoneText } from "../shell/zone-text";

interface WithExpiry {
  expires_at?: number | null | undefined;
}

/** The input of a form with an expiry: the last day of a key, which ends in the workspace's time zone. */
export function checkedWithExpiry<Input extends WithExpiry>(
  c: PageContext,
  schema: z.ZodType<Input>,
  { fields }: Form,
): Input {
  const { workspace, now } = c.var.ctx;
  const { expires_at: day = "" } = fields;
  const withFutureExpiry = schema.refine(({ expires_at: at }) => at == null || at > now(), {
    path: ["expires_at"],
    ...refusedBy("must be today or later"),
  });
  return checked(withFutureExpiry, {
    ...fields,
    expires_at: endOfDateIn(day.trim(), workspace.timeZone) ?? day,
  });
}

export const Expiry = () => (
  <Field
    name="expires_at"
    label="Expires on"
    type="date"
    isOptional
    hint={`It works until this day ends, ${zoneText(currentZone())}. Without one it works until it is revoked.`}
  />
);

/** The form was sent before, and its key was shown then. The list shows the key with a way to rotate it. */
export const redirectToIssued: Repeat = async (c, { subject, change }) => {
  const { into } = parseJsonObject(change ?? "") ?? {};
  const { name, last4 } = await getApiKey(c.var.ctx, typeof into === "string" ? into : subject);
  return redirectWithNotice(
    c,
    href.keys(c.var.workspace, { q: name }),
    `${quoted(name)} (…${last4}) was created when this form was sent first, and was shown then. No other key has been created. If you have not copied it, rotate it.`,
  );
};

/** The only page that ever shows a key: just its hash is stored. */
export const showIssuedKey = (
  c: PageContext,
  { key, name, access }: IssuedApiKey,
  details?: Child,
): Response | Promise<Response> => {
  const api = `${c.var.ctx.config.baseUrl}/api/v1`;
  return c.render(
    <Page title="Your new API key" section="keys" crumbs={["keys"]}>
      <div class="narrow" data-forgets-form={href.keys(c.var.workspace)}>
        <Notice
          text={`${quoted(name)} is created, with ${access === "full" ? "full access" : "access to read"}.`}
        />
        <Card id="key" title="Copy it now">
          <p>
            It is shown only now, since this service keeps no copy of it. If it is lost, rotate it: that
            creates a new one.
          </p>
          <Copied text={key} label="Copy the key" />
        </Card>
        {details}
        <Card id="use" title="Use it">
          <p>Put it where your program keeps its secrets, and send it with every request:</p>
          <pre
            tabindex={0}
          >{`KEY=…   # the key above\ncurl -s "${api}/links" -H "Authorization: Bearer $KEY"`}</pre>
          <p>
            <a href="/docs/api">The reference</a> has a line like this for every operation.
          </p>
        </Card>
        <p>
          <ButtonLink to={href.keys(c.var.workspace)} label="I have copied it" />
        </p>
      </div>
    </Page>,
  );
};
