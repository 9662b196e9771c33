import type { Hono } from "hono";
import { type ApiKeyView, createApiKey, listApiKeys, toKeyState } from "../../workspaces/keys";
import { newApiKey } from "../../workspaces/schema";
import { ownersOnly } from "../auth/permissions";
import { href, paths } from "../href";
import { Dangerous, Field, Select } from "../shell/form";
import { Refusal, showPage } from "../shell/layout";
import { type Problem, toProblem } from "../shell/problem";
import { type ConsoleEnv, checked, type PageContext, readForm } from "../shell/request";
import { Badge, Empty, quoted, Time } from "../shell/text";
import { Expiry, withFutureExpiry } from "./expiry";
import { showIssuedKey } from "./issued";

const ACCESSES = [
  ["full", "Full: reads and writes"],
  ["read", "Read: changes nothing"],
] as const;

const KeyRow = ({ apiKey, workspace, now }: { apiKey: ApiKeyView; workspace: string; now: number }) => {
  const state = toKeyState(apiKey, now);
  return (
    <tr>
      <th scope="row">{apiKey.name}</th>
      <td data-label="Key">
        <code class="nowrap">…{apiKey.last4}</code>
      </td>
      <td data-label="Access">{apiKey.access === "full" ? "Full" : "Read"}</td>
      <td data-label="State">
        <Badge of={state} />
      </td>
      <td data-label="Created">
        <Time at={apiKey.created_at} />
      </td>
      <td data-label="Last used">
        {apiKey.last_used_at === null ? "Never" : <Time at={apiKey.last_used_at} exact />}
      </td>
      <td data-label="Expires">
        {apiKey.expires_at === null ? "Never" : <Time at={apiKey.expires_at} exact />}
      </td>
      <td>
        {state === "active" && (
          <div class="stack">
            <a
              href={href.rotateKey(workspace, apiKey.id)}
              aria-label={`Rotate ${apiKey.name} …${apiKey.last4}`}
            >
              Rotate
            </a>
            <Dangerous
              summary="Revoke"
              consequence={`${quoted(apiKey.name)} (…${apiKey.last4}) is refused from its next request on, for ever.`}
              action={href.revokeKey(workspace, apiKey.id)}
              button="Revoke the key"
            />
          </div>
        )}
      </td>
    </tr>
  );
};

async function showKeys(
  c: PageContext,
  { values = {}, problem }: { values?: Readonly<Record<string, string>>; problem?: Problem } = {},
): Promise<Response> {
  const { slug } = c.var.membership.workspace;
  const keys = (await listApiKeys(c.var.ctx)).reverse();
  const now = c.var.ctx.now();
  return showPage(
    c,
    { title: "API keys", section: "keys", ...(problem && { status: problem.status }) },
    <>
      {keys.length === 0 ? (
        <Empty>
          <p>
            With an API key a program works in this workspace: it creates links, reads lists, fetches QR
            codes.
          </p>
          <p>Create the first one below.</p>
        </Empty>
      ) : (
        <table class="list">
          <caption class="unseen">API keys, the newest first</caption>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Key</th>
              <th scope="col">Access</th>
              <th scope="col">State</th>
              <th scope="col">Created</th>
              <th scope="col">Last used</th>
              <th scope="col">Expires</th>
              <th scope="col">
                <span class="unseen">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {keys.map((apiKey) => (
              <KeyRow apiKey={apiKey} workspace={slug} now={now} />
            ))}
          </tbody>
        </table>
      )}
      <section class="card narrow" aria-labelledby="new-key">
        <h2 id="new-key">Create an API key</h2>
        <Refusal problem={problem} />
        <form method="post" action={href.keys(slug)} class="fields">
          <Field
            label="Name"
            name="name"
            value={values["name"]}
            problem={problem}
            hint="What uses it, such as “website build”."
            required
          />
          <Select
            label="Access"
            name="access"
            value={values["access"]}
            options={ACCESSES}
            problem={problem}
            required
          />
          <Expiry value={values["expires_at"]} problem={problem} />
          <p class="hint">The key is shown once, on the page that follows.</p>
          <div>
            <button type="submit" class="primary">
              Create key
            </button>
          </div>
        </form>
      </section>
    </>,
  );
}

export function registerKeyList(app: Hono<ConsoleEnv>): void {
  app.get(paths.keys, ownersOnly, (c) => showKeys(c));

  app.post(paths.keys, ownersOnly, async (c) => {
    const { fields } = await readForm(c);
    const { ctx } = c.var;
    try {
      const issued = await createApiKey(ctx, checked(withFutureExpiry(newApiKey, ctx.now()), fields));
      return showIssuedKey(c, issued);
    } catch (error) {
      return showKeys(c, { values: fields, problem: toProblem(error) });
    }
  });
}
