import type { Hono } from "hono";
import { type ApiKeyView, getApiKey, revokeApiKey, toKeyState } from "../../access/keys";
import { rotateApiKeyOnce } from "../../access/rotate-key";
import { rotatedApiKey } from "../../access/schema";
import type { Workspace } from "../../context";
import { newId } from "../../lib/ids";
import { ownersOnly } from "../auth/permissions";
import { href, paths } from "../href";
import { fieldsOf, Select, Submit } from "../shell/form";
import type { Form } from "../shell/form-body";
import { Refusal, showPage } from "../shell/layout";
import { redirectWithNotice } from "../shell/notice";
import { type Problem, toProblem } from "../shell/problem";
import { type ConsoleEnv, checked, type PageContext, readForm } from "../shell/request";
import { quoted, Time } from "../shell/text";
import { Expiry, withExpiryTime, withFutureExpiry } from "./expiry";
import { keyCrumbs, showIssuedBefore, showIssuedKey } from "./issued";

const OVERLAPS = [
  ["0", "Now"],
  ["1", "In 1 hour"],
  ["24", "In 24 hours"],
  ["168", "In 7 days"],
] as const;
const DEFAULT_OVERLAP = "24";

const Rotation = ({
  formId,
  apiKey,
  workspace: { slug, timeZone },
  own,
}: {
  formId: string;
  apiKey: ApiKeyView;
  workspace: Workspace;
  own: ReturnType<typeof fieldsOf>;
}) => (
  <form method="post" action={href.rotateKey(slug, apiKey.id)} class="card fields">
    <input type="hidden" name="form" value={formId} />
    <p>
      A new key is created beside {quoted(apiKey.name)} (…{apiKey.last4}), with the same name and access. Both
      work until the old one ends
      {apiKey.expires_at !== null && (
        <>
          , which is on <Time at={apiKey.expires_at} exact /> at the latest
        </>
      )}
      .
    </p>
    <Select
      {...own("overlap_hours")}
      label="The old key ends"
      options={OVERLAPS}
      hint="Time to bring the new key to where the old one is used."
      required
    />
    <Expiry {...own("expires_at")} timeZone={timeZone} />
    <Submit label="Rotate the key" cancel={href.keys(slug)} />
  </form>
);

async function showRotation(
  c: PageContext,
  id: string,
  { values = {}, problem }: { values?: Form["fields"]; problem?: Problem } = {},
): Promise<Response> {
  const { workspace } = c.var.membership;
  const apiKey = await getApiKey(c.var.ctx, id);
  const now = c.var.ctx.now();
  const state = toKeyState(apiKey, now);
  return showPage(
    c,
    {
      title: `Rotate ${quoted(apiKey.name)}`,
      section: "keys",
      crumbs: keyCrumbs(c),
      ...(problem && { status: problem.status }),
    },
    <div class="narrow">
      <Refusal problem={problem} />
      {state === "active" ? (
        <Rotation
          formId={newId(now)}
          apiKey={apiKey}
          workspace={workspace}
          own={fieldsOf({ overlap_hours: DEFAULT_OVERLAP, ...values }, problem)}
        />
      ) : (
        <div class="card">
          <p>
            {quoted(apiKey.name)} (…{apiKey.last4}) is {state} and cannot be rotated.
          </p>
          <p>
            <a href={href.keys(workspace.slug)}>Create a new key instead</a>
          </p>
        </div>
      )}
    </div>,
  );
}

/** Replaces or revokes a key. */
export function registerKeyActions(app: Hono<ConsoleEnv>): void {
  app.get(paths.rotateKey, ownersOnly, (c) => showRotation(c, c.req.param("id")));

  app.post(paths.rotateKey, ownersOnly, async (c) => {
    const id = c.req.param("id");
    const { fields } = await readForm(c);
    const { ctx } = c.var;
    try {
      const schema = withFutureExpiry(rotatedApiKey, ctx.now());
      const input = checked(schema, withExpiryTime(fields, ctx.workspace.timeZone));
      const rotated = await rotateApiKeyOnce(ctx, id, input, fields["form"] ?? "");
      if ("made" in rotated) return showIssuedBefore(c, rotated.made);
      const { issued } = rotated;
      return showIssuedKey(
        c,
        issued,
        <p>
          The old key{" "}
          {fields["overlap_hours"] === "0" ? (
            "has ended: its next request is refused."
          ) : (
            <>
              works until <Time at={issued.replaced_ends_at} exact />.
            </>
          )}
        </p>,
      );
    } catch (error) {
      return showRotation(c, id, { values: fields, problem: toProblem(error) });
    }
  });

  app.post(paths.revokeKey, ownersOnly, async (c) => {
    const { name, last4 } = await revokeApiKey(c.var.ctx, c.req.param("id"));
    return redirectWithNotice(
      c,
      href.keys(c.var.workspace),
      `${quoted(name)} (…${last4}) is revoked: its next request is refused.`,
    );
  });
}
