import { newApiKey } from "../../access/access-schema";
import {
  type ApiKeyView,
  createApiKey,
  expiresSoon,
  KEYS_PER_PAGE,
  listKeyPage,
  revokeApiKey,
  toKeyState,
} from "../../access/keys";
import { Dangerous } from "../shell/dangerous";
import { here, href } from "../shell/href";
import { Page, redirectWithNotice } from "../shell/layout";
import { ListSearch, listQuery, Pager } from "../shell/list-controls";
import { type Form, type PageContext, readQuery } from "../shell/page-request";
import { Field, PostForm, Select, Submit } from "../shell/post-form";
import { Table } from "../shell/table";
import { Badge, Empty, quoted, Relative, Time, words } from "../shell/text";
import { checkedWithExpiry, Expiry, showIssuedKey } from "./new-key";

const ACCESSES = [
  ["full", "Full: reads and writes"],
  ["read", "Read: changes nothing"],
] as const;

const Expires = ({ apiKey, now }: { apiKey: ApiKeyView; now: number }) => {
  const { expires_at: at } = apiKey;
  if (at === null) return "Never";
  const exact = <Time at={at} exact />;
  if (toKeyState(apiKey, now) !== "active" || !expiresSoon(apiKey, now)) return exact;
  return (
    <>
      <span class="badge badge-expires_soon">
        <Relative at={at} />
      </span>{" "}
      {exact}
    </>
  );
};

const Actions = ({ apiKey }: { apiKey: ApiKeyView }) => (
  <div class="row">
    <a href={here.rotateKey(apiKey.id)} aria-label={`Rotate ${apiKey.name} …${apiKey.last4}`}>
      Rotate
    </a>
    <Dangerous
      summary="Revoke"
      consequence={`${quoted(apiKey.name)} (…${apiKey.last4}) is refused from its next request on, for ever.`}
      action={here.revokeKey(apiKey.id)}
      button="Revoke the key"
    />
  </div>
);

export async function showKeys(c: PageContext): Promise<Response> {
  const { ctx, workspace } = c.var;
  const now = ctx.now();
  const { q, page } = readQuery(listQuery, c);
  const { items, meta, all } = await listKeyPage(ctx, { q, page });
  return c.render(
    <Page title="API keys" section="keys">
      {all === 0 ? (
        <Empty text="With an API key a program works in this workspace: it creates links, reads lists, fetches QR codes.">
          <p>Create the first one below.</p>
        </Empty>
      ) : (
        <div class="stack">
          <p>
            With an API key a program works in this workspace. <a href="/docs/api">What it can do</a>
          </p>
          {(all > KEYS_PER_PAGE || q !== "") && <ListSearch label="Search keys" q={q} />}
          <Table
            caption="API keys, those that work first, by name"
            empty="No key has this name."
            rows={items}
            columns={[
              { heading: "Name", isName: true, cell: ({ name }) => name },
              { heading: "Key", cell: ({ last4 }) => <code class="nowrap">…{last4}</code> },
              { heading: "Access", kind: "labelled", cell: ({ access }) => words(access) },
              { heading: "State", cell: (apiKey) => <Badge of={toKeyState(apiKey, now)} /> },
              { heading: "Created", kind: "labelled", cell: (apiKey) => <Time at={apiKey.created_at} /> },
              {
                heading: "Last used",
                kind: "labelled",
                cell: ({ last_used_at: at }) => (at === null ? "Never" : <Relative at={at} />),
              },
              { heading: "Expires", kind: "labelled", cell: (one) => <Expires apiKey={one} now={now} /> },
              {
                heading: <span class="unseen">Actions</span>,
                cell: (apiKey) => toKeyState(apiKey, now) === "active" && <Actions apiKey={apiKey} />,
              },
            ]}
          />
          <Pager meta={meta} of="key" />
        </div>
      )}
      <section class="card narrow" aria-labelledby="new-key">
        <h2 id="new-key">Create an API key</h2>
        <PostForm action={href.keys(workspace)} class="fields">
          <Field name="name" label="Name" hint="What uses it, such as “website build”." required />
          <Select name="access" label="Access" options={ACCESSES} required />
          <Expiry />
          <p class="hint">The key is shown once, on the page that follows.</p>
          <Submit label="Create key" />
        </PostForm>
      </section>
    </Page>,
  );
}

export async function createKey(c: PageContext, form: Form): Promise<Response> {
  const input = checkedWithExpiry(c, newApiKey, form);
  return showIssuedKey(c, await createApiKey(c.var.ctx, input));
}

export async function revokeKey(c: PageContext): Promise<Response> {
  const { name, last4 } = await revokeApiKey(c.var.ctx, c.req.param("id"));
  const notice = `${quoted(name)} (…${last4}) is revoked: its next request is refused.`;
  return redirectWithNotice(c, href.keys(c.var.workspace), notice);
}
