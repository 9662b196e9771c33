import {
  addPasskey,
  askForNewPasskey,
  listPasskeys,
  MAX_PASSKEYS,
  type Passkey,
  passkeyName,
  removePasskey,
  renamePasskey,
} from "../../access/passkeys";
import { noPage } from "../../errors";
import { ActionForm } from "../shell/button";
import { Dangerous } from "../shell/dangerous";
import { href } from "../shell/href";
import { Page, redirectWithNotice } from "../shell/layout";
import { checked, type Form, type PageContext } from "../shell/page-request";
import { Field } from "../shell/post-form";
import { serviceContext } from "../shell/service-context";
import { Table } from "../shell/table";
import { count, quoted, Relative, Time } from "../shell/text";
import { PasskeyForm, takeAnswer } from "./passkey-form";
import { placeOf } from "./session";
import { ownerOf, usesAccess } from "./sessions";

const Name = ({ passkey: { name, formerHost } }: { passkey: Passkey }) => (
  <>
    {name}
    {formerHost !== null && <span class="soft"> (made for {formerHost}: it signs in nowhere any more)</span>}
  </>
);

const Actions = ({ passkey: { id, name } }: { passkey: Passkey }) => (
  <div class="row">
    <details>
      <summary>Rename</summary>
      <ActionForm method="post" action={href.passkey(id)} class="row">
        <label class="tick">
          Name
          <input name="name" value={name} required maxlength={100} autocomplete="off" />
        </label>
        <button type="submit">Rename</button>
      </ActionForm>
    </details>
    <Dangerous
      summary="Remove"
      consequence={`${quoted(name)} signs in no more. Sessions that it began go on until they are ended.`}
      action={href.removePasskey(id)}
      button={`Remove the passkey ${name}`}
    />
  </div>
);

export async function showPasskeys(c: PageContext): Promise<Response> {
  if (usesAccess(c)) return c.redirect(href.sessions(), 303);
  const { passkeys, isAll, isFull } = await listPasskeys(serviceContext(c), await ownerOf(c));
  const opensNone = c.var.person.memberships.length === 0;
  return c.render(
    <Page
      title="Your passkeys"
      crumbs={[
        { label: "Workspaces", href: href.home() },
        { label: "Your sessions", href: href.sessions() },
      ]}
    >
      <p>
        With a passkey you sign in as <bdi>{c.var.person.email}</bdi> by finger, face or PIN, without a link.
      </p>
      {!isAll && (
        <p class="hint">
          This session began with an invitation, so a passkey that you add now opens the same workspaces
          alone. Passkeys that open others are not shown.
        </p>
      )}
      {isFull && (
        <p class="hint">You have {MAX_PASSKEYS} passkeys, which is the most. Remove one to add another.</p>
      )}
      {opensNone && <p class="hint">This session opens no workspace, so a new passkey would open none.</p>}
      {!isFull && !opensNone && (
        <>
          <PasskeyForm action={href.passkeys()} asks={href.newPasskey()} label="Add a passkey">
            <Field name="name" label="Name" hint="Where it is kept, such as “My phone”." />
          </PasskeyForm>
          <noscript>
            <p class="hint">Adding a passkey takes a browser in which scripts run.</p>
          </noscript>
        </>
      )}
      <Table
        caption={count(passkeys.length, "passkey")}
        empty="You have none yet."
        rows={passkeys}
        columns={[
          { heading: "Name", isName: true, cell: (passkey) => <Name passkey={passkey} /> },
          {
            heading: "Last used",
            kind: "labelled",
            cell: ({ last_used_at: at }) => (at === null ? "Never" : <Relative at={at} />),
          },
          { heading: "Added", kind: "labelled", cell: (passkey) => <Time at={passkey.created_at} exact /> },
          { heading: <span class="unseen">Actions</span>, cell: (passkey) => <Actions passkey={passkey} /> },
        ]}
      />
      <p class="hint">
        If a device is lost, remove its passkey, and end <a href={href.sessions()}>its sessions</a> too: they
        do not end with the passkey.
      </p>
    </Page>,
  );
}

/** With Cloudflare Access passkeys open nothing. */
function assertOffered(c: PageContext): void {
  if (usesAccess(c)) throw noPage();
}

export async function sendNewChallenge(c: PageContext): Promise<Response> {
  assertOffered(c);
  return c.json(await askForNewPasskey(serviceContext(c), await ownerOf(c)));
}

export function makePasskey(c: PageContext, { fields }: Form): Promise<Response> {
  assertOffered(c);
  const run = async () => {
    const sent = fields["name"]?.trim() || (placeOf(c).device ?? "Passkey");
    const { name } = checked(passkeyName, { name: sent });
    const passkey = await addPasskey(serviceContext(c), await ownerOf(c), fields, name);
    return redirectWithNotice(c, href.passkeys(), `${passkey.name} is added: sign in with it next time.`);
  };
  return takeAnswer(c, run, showPasskeys);
}

export async function changePasskey(c: PageContext, { fields }: Form): Promise<Response> {
  assertOffered(c);
  const { name } = checked(passkeyName, fields);
  await renamePasskey(serviceContext(c), await ownerOf(c), c.req.param("id"), name);
  return redirectWithNotice(c, href.passkeys(), `The passkey is called ${name} now.`);
}

export async function endPasskey(c: PageContext): Promise<Response> {
  assertOffered(c);
  const { name } = await removePasskey(serviceContext(c), await ownerOf(c), c.req.param("id"));
  const notice = `${name} is removed and signs in no more. Your device may still offer it: remove it there too.`;
  return redirectWithNotice(c, href.passkeys(), notice);
}
