import { rotatedApiKey } from "../../access/access-schema";
import { getApiKey, rotateApiKey, toKeyState } from "../../access/keys";
import { href } from "../shell/href";
import { Page } from "../shell/layout";
import type { Form, PageContext } from "../shell/page-request";
import { PostForm, Select, Submit } from "../shell/post-form";
import { quoted, Time } from "../shell/text";
import { checkedWithExpiry, Expiry, showIssuedKey } from "./new-key";

const OVERLAPS = [
  ["0", "Now"],
  ["1", "In 1 hour"],
  ["24", "In 24 hours"],
  ["168", "In 7 days"],
] as const;
const DEFAULT_OVERLAP = "24";

export async function showRotation(c: PageContext): Promise<Response> {
  const { ctx, workspace } = c.var;
  const apiKey = await getApiKey(ctx, c.req.param("id"));
  const state = toKeyState(apiKey, ctx.now());
  return c.render(
    <Page title={`Rotate ${quoted(apiKey.name)}`} section="keys" crumbs={["keys"]} class="narrow">
      {state === "active" ? (
        <PostForm
          action={href.rotateKey(workspace, apiKey.id)}
          initial={{ overlap_hours: DEFAULT_OVERLAP }}
          class="card fields"
        >
          <p>
            A new key is created beside {quoted(apiKey.name)} (…{apiKey.last4}), with the same name and
            access. Both work until the old one ends
            {apiKey.expires_at !== null && (
              <>
                , which is on <Time at={apiKey.expires_at} exact /> at the latest
              </>
            )}
            .
          </p>
          <Select
            name="overlap_hours"
            label="The old key ends"
            options={OVERLAPS}
            hint="Time to bring the new key to where the old one is used."
            required
          />
          <Expiry />
          <Submit label="Rotate the key" cancel={href.keys(workspace)} />
        </PostForm>
      ) : (
        <div class="card">
          <p>
            {quoted(apiKey.name)} (…{apiKey.last4}) is {state} and cannot be rotated.
          </p>
          <p>
            <a href={href.keys(workspace)}>Create a new key instead</a>
          </p>
        </div>
      )}
    </Page>,
  );
}

export async function rotateKey(c: PageContext, form: Form): Promise<Response> {
  const input = checkedWithExpiry(c, rotatedApiKey, form);
  const issued = await rotateApiKey(c.var.ctx, c.req.param("id"), input);
  return showIssuedKey(
    c,
    issued,
    <p>
      The old key{" "}
      {input.overlap_hours === 0 ? (
        "has ended: its next request is refused."
      ) : (
        <>
          works until <Time at={issued.replaced_ends_at} exact />.
        </>
      )}
    </p>,
  );
}
