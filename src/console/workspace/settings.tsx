import type { Hono } from "hono";
import { MAX_TAGS } from "../../errors";
import { renamedWorkspace } from "../../workspaces/schema";
import { getOwnWorkspace, renameWorkspace } from "../../workspaces/service";
import { ownersOnly } from "../auth/permissions";
import { href, paths } from "../href";
import { Field } from "../shell/form";
import { Refusal, showPage } from "../shell/layout";
import { redirectWithNotice } from "../shell/notice";
import { type Problem, toProblem } from "../shell/problem";
import { type ConsoleEnv, checked, type PageContext, readForm } from "../shell/request";
import { number, Time } from "../shell/text";
import { LimitWarnings } from "./limit-warnings";

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

const RenameForm = ({
  slug,
  name,
  problem,
}: {
  slug: string;
  name: string;
  problem: Problem | undefined;
}) => (
  <form method="post" action={href.settings(slug)} class="fields">
    <Field
      label="Name"
      name="name"
      value={name}
      problem={problem}
      required
      hint="What people see. Addresses stay as they are: they hold the slug."
      attributes={{ maxlength: 200 }}
    />
    <p>
      <button type="submit" class="primary">
        Rename
      </button>
    </p>
  </form>
);

async function showSettings(c: PageContext, typed?: string, problem?: Problem): Promise<Response> {
  const { ctx, membership } = c.var;
  const workspace = await getOwnWorkspace(ctx);
  const { slug } = workspace;
  const isOwner = membership.role === "owner";
  return showPage(
    c,
    { title: "Workspace", section: "workspace", ...(problem && { status: problem.status }) },
    <div class="columns">
      <div class="stack">
        <Refusal problem={problem} />
        <section class="card" aria-labelledby="about">
          <h2 id="about">About it</h2>
          {isOwner && <RenameForm slug={slug} name={typed ?? workspace.name} problem={problem} />}
          <dl class="facts">
            {!isOwner && (
              <>
                <dt>Name</dt>
                <dd>{workspace.name}</dd>
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
            <dt>Made</dt>
            <dd>
              <Time at={workspace.created_at} />
            </dd>
            <dt>You are its</dt>
            <dd>{membership.role}</dd>
          </dl>
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
            <a href={href.members(slug)}>Members</a>
          </h2>
          <p>Who may work here, and who may only look.</p>
        </section>
        <section class="card" aria-labelledby="trail">
          <h2 id="trail">
            <a href={href.audit(slug)}>Audit trail</a>
          </h2>
          <p>Who changed what, when, and what it was before. Links can be taken back to an earlier state.</p>
        </section>
      </div>
    </div>,
  );
}

/** The name and the usage of the workspace, with links to its members and its audit trail. */
export function registerSettings(app: Hono<ConsoleEnv>): void {
  app.get(paths.settings, (c) => showSettings(c));

  app.post(paths.settings, ownersOnly, async (c) => {
    const { fields } = await readForm(c);
    try {
      const { slug, name } = await renameWorkspace(c.var.ctx, checked(renamedWorkspace, fields));
      return redirectWithNotice(c, href.settings(slug), `The workspace is called ${name}.`);
    } catch (error) {
      return showSettings(c, fields["name"], toProblem(error));
    }
  });
}
