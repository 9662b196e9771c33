import type { Hono } from "hono";
import { newId } from "../../lib/ids";
import {
  type ApiKeyView,
  createApiKeyOnce,
  expiresSoon,
  listApiKeys,
  toKeyState,
} from "../../workspaces/keys";
import { newApiKey } from "../../workspaces/schema";
import { ownersOnly } from "../auth/permissions";
import { href, paths } from "../href";
import { Dangerous, Field, Select } from "../shell/form";
import { Refusal, showPage } from "../shell/layout";
import { type Problem, toProblem } from "../shell/problem";
import { Relative } from "../shell/relative";
import { type ConsoleEnv, checked, type PageContext, readForm } from "../shell/request";
import { Badge, Empty, quoted, Time } from "../shell/text";
import { Expiry, withExpiryTime, withFutureExpiry } from "./expiry";
import { showIssuedBefore, showIssuedKey } from "./issued";

const ACCESSES = [
  ["full", "Full: reads and writes"],
  ["read", "Read: changes nothing"],
] as const;

const Expires = ({ apiKey, now }: { apiKey: ApiKeyView; now: number }) => {
  const { expires_at: at } = apiKey;
  if (at === null) return "Never";
  const isSoon = toKeyState(apiKey, now) === "active" && expiresSoon(apiKey, now);
  return (
    <>
      {isSoon && (
        <>
          <span class="badge badge-expires_soon">
            <Relative at={at} now={now} />
          </span>{" "}
        </>
      )}
      <Time at={at} exact />
    </>
  );
};

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
        {apiKey.last_used_at === null ? "Never" : <Relative at={apiKey.last_used_at} now={now} />}
      </td>
      <td data-label="Expires">
        <Expires apiKey={apiKey} now={now} />
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

const NATURAL_ORDER = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
const STATES = ["active", "expired", "revoked"];

/** Keys that work come first. In each state "Build 2" comes before "Build 10", then the newest first. */
const inOrder = (keys: readonly ApiKeyView[], now: number): ApiKeyView[] =>
  keys.toReversed().toSorted((one, other) => {
    const byState = STATES.indexOf(toKeyState(one, now)) - STATES.indexOf(toKeyState(other, now));
    return byState || NATURAL_ORDER.compare(one.name, other.name);
  });

async function showKeys(
  c: PageContext,
  { values = {}, problem }: { values?: Readonly<Record<string, string>>; problem?: Problem } = {},
): Promise<Response> {
  const { slug, name, timeZone } = c.var.membership.workspace;
  const now = c.var.ctx.now();
  const keys = inOrder(await listApiKeys(c.var.ctx), now);
  return showPage(
    c,
    {
      title: "API keys",
      section: "keys",
      crumbs: [{ label: name, href: href.workspace(slug) }],
      ...(problem && { status: problem.status }),
    },
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
          <caption class="unseen">API keys, those that work first, by name</caption>
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
          <input type="hidden" name="form" value={newId(now)} />
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
          <Expiry value={values["expires_at"]} timeZone={timeZone} problem={problem} />
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
      const schema = withFutureExpiry(newApiKey, ctx.now());
      const input = checked(schema, withExpiryTime(fields, ctx.workspace.timeZone));
      const created = await createApiKeyOnce(ctx, input, fields["form"] ?? "");
      return "made" in created ? showIssuedBefore(c, created.made) : showIssuedKey(c, created.issued);
    } catch (error) {
      return showKeys(c, { values: fields, problem: toProblem(error) });
    }
  });
}
