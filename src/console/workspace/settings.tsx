import type { Hono } from "hono";
import { changedWorkspace } from "../../access/schema";
import { getOwnWorkspace, updateWorkspace } from "../../access/service";
import { MAX_TAGS } from "../../resources/tags/errors";
import { ownersOnly } from "../auth/permissions";
import { href, paths } from "../href";
import { Field } from "../shell/form";
import type { Form } from "../shell/form-body";
import { changedFields, serialiseInitialFields } from "../shell/initial-fields";
import { Refusal, showPage } from "../shell/layout";
import { redirectWithNotice } from "../shell/notice";
import { type Problem, toProblem } from "../shell/problem";
import { type ConsoleEnv, checked, type PageContext, readForm } from "../shell/request";
import { number, Time } from "../shell/text";
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

/** What owners can change, as it was or as it was typed. */
interface Values {
  name: string;
  time_zone: string;
}

const ChangeForm = ({
  slug,
  initial,
  values,
  problem,
}: {
  slug: string;
  initial: string;
  values: Values;
  problem: Problem | undefined;
}) => (
  <form method="post" action={href.settings(slug)} class="fields">
    <input type="hidden" name="was" value={initial} />
    <Field
      label="Name"
      name="name"
      value={values.name}
      problem={problem}
      required
      hint="What people see. Addresses stay as they are: they hold the slug."
    />
    <TimeZoneField value={values.time_zone} problem={problem} />
    <p>
      <button type="submit" class="primary">
        Save
      </button>
    </p>
  </form>
);

async function showSettings(
  c: PageContext,
  { typed = {}, problem }: { typed?: Form["fields"]; problem?: Problem } = {},
): Promise<Response> {
  const { ctx, membership } = c.var;
  const workspace = await getOwnWorkspace(ctx);
  const { slug, name, time_zone } = workspace;
  const current: Values = { name, time_zone };
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
        <section class="card" aria-labelledby="about">
          <h2 id="about">About it</h2>
          {isOwner && (
            <ChangeForm
              slug={slug}
              initial={typed["was"] ?? serialiseInitialFields(current)}
              values={{ ...current, ...typed }}
              problem={problem}
            />
          )}
          <dl class="facts">
            {!isOwner && (
              <>
                <dt>Name</dt>
                <dd>{name}</dd>
                <dt>Time zone</dt>
                <dd>{time_zone}</dd>
              </>
            )}
            <dt>Slug</dt>
            <dd>
              <code>{slug}</code>
            </dd>
            <dt>Short links</dt>
            <dd>
              <code>{ctx.config.shortBaseUrl}/…</code>
            </dd>
            <dt>Created</dt>
            <dd>
              <Time at={workspace.created_at} />
            </dd>
            <dt>You are its</dt>
            <dd>{membership.role}</dd>
          </dl>
          {!isOwner && <p class="hint">An owner changes the name and the time zone.</p>}
        </section>
        <section class="card" aria-labelledby="use">
          <h2 id="use">Use</h2>
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
        </section>
      </div>
      <div class="stack">
        <section class="card" aria-labelledby="people">
          <h2 id="people">
            <a href={href.members(slug)}>People</a>
          </h2>
          <p>Who may work here, and who may only look. An owner invites them.</p>
        </section>
        <section class="card" aria-labelledby="trail">
          <h2 id="trail">
            <a href={href.audit(slug)}>Audit trail</a>
          </h2>
          <p>Who changed what, when, and what it was before. Links can be reverted to an earlier state.</p>
        </section>
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
