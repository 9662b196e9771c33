import type { Hono } from "hono";
import { changedWorkspace } from "../../access/schema";
import { getOwnWorkspace, updateWorkspace } from "../../access/service";
import { MAX_TAGS } from "../../resources/tags/errors";
import { ownersOnly } from "../auth/permissions";
import { href, paths } from "../href";
import { Field, fieldsOf, Submit } from "../shell/form";
import type { Form } from "../shell/form-body";
import { changedFields, serialiseInitialFields } from "../shell/initial-fields";
import { Refusal, showPage } from "../shell/layout";
import { redirectWithNotice } from "../shell/notice";
import { type Problem, toProblem } from "../shell/problem";
import { type ConsoleEnv, checked, type PageContext, readForm } from "../shell/request";
import { Card, Fact, number, Time } from "../shell/text";
import { LimitWarnings } from "./limit-warnings";
import { TimeZoneField } from "./time-zone";

/** `limit` null is no limit. */
const Use = ({ label, used, limit }: { label: string; used: number; limit: number | null }) => {
  const id = `use-of-${label.toLowerCase()}`;
  const text = limit === null ? number(used) : `${number(used)} of ${number(limit)}`;
  return (
    <div class="stat">
      <span id={id}>{label}</span>
      <strong>{text}</strong>
      {limit === null ? (
        <span class="soft small">No limit</span>
      ) : (
        <progress aria-labelledby={id} value={Math.min(used, limit)} max={Math.max(1, limit)}>
          {text}
        </progress>
      )}
    </div>
  );
};

async function showSettings(
  c: PageContext,
  { typed = {}, problem }: { typed?: Form["fields"]; problem?: Problem } = {},
): Promise<Response> {
  const { ctx, membership } = c.var;
  const workspace = await getOwnWorkspace(ctx);
  const { slug, name, time_zone } = workspace;
  const current = { name, time_zone };
  const own = fieldsOf({ ...current, ...typed }, problem);
  const isOwner = membership.role === "owner";
  return showPage(
    c,
    {
      title: "Workspace",
      section: "workspace",
      crumbs: [{ label: name, href: href.workspace(slug) }],
      ...(problem && { status: problem.status }),
    },
    <div class="columns">
      <div class="stack">
        <Refusal problem={problem} />
        <Card id="about" title="About it">
          {isOwner && (
            <form method="post" action={href.settings(slug)} class="fields">
              <input type="hidden" name="was" value={typed["was"] ?? serialiseInitialFields(current)} />
              <Field
                {...own("name")}
                label="Name"
                required
                hint="What people see. Addresses stay as they are: they hold the slug."
              />
              <TimeZoneField value={typed["time_zone"] ?? time_zone} problem={problem} />
              <Submit label="Save" />
            </form>
          )}
          <dl class="facts">
            {!isOwner && <Fact name="Name">{name}</Fact>}
            {!isOwner && <Fact name="Time zone">{time_zone}</Fact>}
            <Fact name="Slug">
              <code>{slug}</code>
            </Fact>
            <Fact name="Short links">
              <code>{ctx.config.shortBaseUrl}/…</code>
            </Fact>
            <Fact name="Created">
              <Time at={workspace.created_at} />
            </Fact>
            <Fact name="You are its">{membership.role}</Fact>
          </dl>
          {!isOwner && <p class="hint">An owner changes the name and the time zone.</p>}
        </Card>
        <Card id="use" title="Use">
          <LimitWarnings limits={membership.nearlyFull} />
          <div class="stats">
            <Use label="Links" used={workspace.links} limit={workspace.link_limit} />
            <div class="stat">
              <span>Slugs</span>
              <strong>
                {number(workspace.slugs)} of {number(workspace.slug_limit)}
              </strong>
              <span class="soft small">Including slugs that open nothing any more</span>
            </div>
            <Use label="Tags" used={workspace.tags} limit={MAX_TAGS} />
          </div>
          <p class="hint">
            Active and archived links count, deleted ones do not. Every slug that a link had counts for good.
            The operator of this service sets the limit of links, and with it that of slugs.
          </p>
        </Card>
      </div>
      <div class="stack">
        <Card id="people" title={<a href={href.members(slug)}>People</a>}>
          <p>Who may work here, and who may only look. An owner invites them.</p>
        </Card>
        <Card id="trail" title={<a href={href.audit(slug)}>Audit trail</a>}>
          <p>Who changed what, when, and what it was before. Links can be reverted to an earlier state.</p>
        </Card>
      </div>
    </div>,
  );
}

/** The name, time zone and usage of the workspace, with links to its people and its audit trail. */
export function registerSettings(app: Hono<ConsoleEnv>): void {
  app.get(paths.settings, (c) => showSettings(c));

  app.post(paths.settings, ownersOnly, async (c) => {
    const { fields } = await readForm(c);
    try {
      const input = checked(changedWorkspace, changedFields(fields));
      const { slug } = await updateWorkspace(c.var.ctx, input);
      return redirectWithNotice(c, href.settings(slug), "The workspace is saved.");
    } catch (error) {
      return showSettings(c, { typed: fields, problem: toProblem(error) });
    }
  });
}
