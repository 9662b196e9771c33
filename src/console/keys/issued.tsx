import type { Child } from "hono/jsx";
import type { ApiKeyView, IssuedApiKey } from "../../access/keys";
import { ButtonLink, Copied } from "../shell/button";
import { href } from "../shell/href";
import { Notice, Page } from "../shell/layout";
import type { PageContext } from "../shell/request";
import { Card, quoted } from "../shell/text";

/** The form was sent before, and its key was shown then. */
export const showIssuedBefore = (
  c: PageContext,
  { id, name, last4 }: ApiKeyView,
): Response | Promise<Response> => {
  const { workspace: slug } = c.var;
  return c.render(
    <Page
      title="This key has been created already"
      section="keys"
      crumbs={["home", "keys"]}
      class="narrow card"
    >
      <p>
        {quoted(name)} (…{last4}) was created when this form was sent first, and was shown then. No other key
        has been created.
      </p>
      <p>
        If you have not copied it, <a href={href.rotateKey(slug, id)}>rotate it</a>: the old key can end at
        once.
      </p>
      <p>
        <ButtonLink to={href.keys(slug)} label="All keys" />
      </p>
    </Page>,
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
    <Page title="Your new API key" section="keys" crumbs={["home", "keys"]}>
      <div class="narrow" data-forgets-form={href.keys(c.var.workspace)}>
        <Notice
          text={`${quoted(name)} is created, with ${access === "full" ? "full access" : "access to read"}.`}
        />
        <Card id="key" title="Copy it now">
          <p>
            It is shown this once: the service keeps no more than a hash of it. Loading this page again shows
            it no more, and creates no other key.
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
