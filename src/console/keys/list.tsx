import type { Hono } from "hono";
import { KEYS_PER_PAGE, type KeysPage, listKeyPage, MAX_LISTED_KEYS } from "../../access/key-list";
import { type ApiKeyView, createApiKeyOnce, expiresSoon, toKeyState } from "../../access/keys";
import { newApiKey } from "../../access/schema";
import { newId } from "../../lib/ids";
import { ownersOnly } from "../auth/permissions";
import { href, paths } from "../href";
import { Dangerous, Field, Select } from "../shell/form";
import { Refusal, showPage } from "../shell/layout";
import { ListSearch, listQuery } from "../shell/list-search";
import { Pager } from "../shell/pager";
import { type Problem, toProblem } from "../shell/problem";
import { Relative } from "../shell/relative";
import { type ConsoleEnv, checked, type PageContext, readForm, readQuery } from "../shell/request";
import { Badge, Empty, number, quoted, Time } from "../shell/text";
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

const KeyTable = ({
  keys,
  workspace,
  now,
}: {
  keys: readonly ApiKeyView[];
  workspace: string;
  now: number;
}) => (
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
        <KeyRow apiKey={apiKey} workspace={workspace} now={now} />
      ))}
    </tbody>
  </table>
);

const Listed = ({
  shown: { items, meta, all, isCut },
  q,
  workspace,
  now,
}: {
  shown: KeysPage;
  q: string;
  workspace: string;
  now: number;
}) => {
  const pageHref = (page: number) => href.keys(workspace, { q, page });
  return (
    <div class="stack">
      {(all > KEYS_PER_PAGE || q !== "") && (
        <ListSearch label="Search keys" action={href.keys(workspace)} q={q} />
      )}
      {isCut && (
        <p class="warning">
          There are more than {number(MAX_LISTED_KEYS)} keys. Only the newest {number(MAX_LISTED_KEYS)} are
          listed and searched.
        </p>
      )}
      {items.length === 0 ? (
        <Empty>
          <p>No key has this name.</p>
        </Empty>
      ) : (
        <KeyTable keys={items} workspace={workspace} now={now} />
      )}
      <Pager
        meta={meta}
        of={meta.total === 1 ? "key" : "keys"}
        previous={meta.current_page > 1 ? pageHref(meta.current_page - 1) : undefined}
        next={meta.current_page < meta.last_page ? pageHref(meta.current_page + 1) : undefined}
      />
    </div>
  );
};

async function showKeys(
  c: PageContext,
  { values = {}, problem }: { values?: Readonly<Record<string, string>>; problem?: Problem } = {},
): Promise<Response> {
  const { slug, name, timeZone } = c.var.membership.workspace;
  const now = c.var.ctx.now();
  const query = readQuery(listQuery, c);
  const shown = await listKeyPage(c.var.ctx, query);
  return showPage(
    c,
    {
      title: "API keys",
      section: "keys",
      crumbs: [{ label: name, href: href.workspace(slug) }],
      ...(problem && { status: problem.status }),
    },
    <>
      {shown.all === 0 ? (
        <Empty>
          <p>
            With an API key a program works in this workspace: it creates links, reads lists, fetches QR
            codes.
          </p>
          <p>Create the first one below.</p>
        </Empty>
      ) : (
        <Listed shown={shown} q={query.q} workspace={slug} now={now} />
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
