import type { Child } from "hono/jsx";
import type { IssuedApiKey } from "../../workspaces/keys";
import { href } from "../href";
import { Notice, showPage } from "../shell/layout";
import type { PageContext } from "../shell/request";
import { quoted } from "../shell/text";

/** The only page that ever shows a key: just its hash is stored. */
export const showIssuedKey = (
  c: PageContext,
  { key, name, access }: IssuedApiKey,
  details?: Child,
): Response | Promise<Response> => {
  const api = `${c.var.ctx.config.baseUrl}/api/v1`;
  return showPage(
    c,
    { title: "Your new API key", section: "keys" },
    <div class="narrow">
      <Notice
        text={`${quoted(name)} is issued, with ${access === "full" ? "full access" : "access to read"}.`}
      />
      <section class="card" aria-labelledby="key">
        <h2 id="key">Copy it now</h2>
        <p>
          It is shown this once: the service keeps no more than a hash of it. Loading this page again would
          issue another key.
        </p>
        <pre tabindex={0} data-by-hand="">
          {key}
        </pre>
        <div>
          <button type="button" data-copy={key} hidden>
            <span>Copy the key</span>
          </button>
        </div>
      </section>
      {details}
      <section class="card" aria-labelledby="use">
        <h2 id="use">Use it</h2>
        <p>Put it where your program keeps its secrets, and send it with every request:</p>
        <pre
          tabindex={0}
        >{`KEY=…   # the key above\ncurl -s "${api}/links" -H "Authorization: Bearer $KEY"`}</pre>
        <p>
          <a href="/docs/api">The reference</a> has a line like this for every operation.
        </p>
      </section>
      <p>
        <a class="button" href={href.keys(c.var.membership.workspace.slug)}>
          I have copied it
        </a>
      </p>
    </div>,
  );
};
