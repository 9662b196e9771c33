import type { Hono } from "hono";
import { type AuditQuery, auditQuery } from "../../audit/schema";
import {
  type AuditEntry,
  type AuditPage,
  ENTRIES_A_PAGE,
  listAudit,
  MOST_LOOKED_THROUGH,
} from "../../audit/service";
import { isoTime } from "../../lib/time";
import { isRevertible } from "../../links/revert";
import { listApiKeys } from "../../workspaces/keys";
import { listMembers } from "../../workspaces/members";
import { actorOf } from "../../workspaces/sessions";
import { href, paths } from "../href";
import { Field, type Options, Select } from "../shell/form";
import { showPage } from "../shell/layout";
import { type ConsoleEnv, type PageContext, readQuery } from "../shell/request";
import { Empty, number, Time } from "../shell/text";
import { ACTION_OPTIONS, actorText, Change, FromTo, fieldText, Value } from "./change";

type Query = Parameters<typeof href.audit>[1];

const dayOf = (at: number | undefined): string | undefined =>
  at === undefined ? undefined : isoTime(at).slice(0, 10);

/** The query as an address has it. */
const toQuery = ({ actor, subject, action, from, to, before }: AuditQuery) => ({
  ...(actor === undefined ? {} : { actor }),
  ...(subject === undefined ? {} : { subject }),
  ...(action === undefined ? {} : { action }),
  ...(from === undefined ? {} : { from: dayOf(from) ?? "" }),
  ...(to === undefined ? {} : { to: dayOf(to) ?? "" }),
  ...(before === undefined ? {} : { before }),
});

/** The options with the chosen one among them, whatever it is. */
const including = (options: Options, chosen: string | undefined, label: string): Options =>
  chosen === undefined || options.some(([value]) => value === chosen)
    ? options
    : [[chosen, label], ...options];

const Filters = ({ slug, query, actors }: { slug: string; query: AuditQuery; actors: Options }) => (
  <form method="get" action={href.audit(slug)} class="stack">
    <div class="filters">
      <Select label="Who" name="actor" value={query.actor} options={actors} none="Everybody" />
      <Field label="Slug or id" name="subject" value={query.subject} attributes={{ maxlength: 64 }} />
      <Select
        label="Kind"
        name="action"
        value={query.action}
        options={including(ACTION_OPTIONS, query.action, query.action ?? "")}
        none="Everything"
      />
      <Field label="From" name="from" type="date" value={dayOf(query.from)} />
      <Field label="To" name="to" type="date" value={dayOf(query.to)} />
    </div>
    <p class="row">
      <button type="submit" class="primary">
        Filter
      </button>
      <a href={href.audit(slug)}>Show everything</a>
    </p>
  </form>
);

const Facts = ({ facts }: Pick<AuditEntry, "facts">) =>
  facts.length === 0 ? null : (
    <dl class="facts small">
      {facts.map(({ field, was, is }) => (
        <>
          <dt>{fieldText(field)}</dt>
          <dd>
            {was === undefined ? (
              <Value text={is} />
            ) : is === undefined ? (
              <Value text={was} />
            ) : (
              <FromTo was={was} is={is} />
            )}
          </dd>
        </>
      ))}
    </dl>
  );

const Entry = ({ slug, entry, edits }: { slug: string; entry: AuditEntry; edits: boolean }) => {
  const { operation, at, actor, action, subject, facts } = entry;
  const canRevert = isRevertible(action);
  return (
    <li class="card">
      <p>
        <a class="actor" href={href.audit(slug, { actor: actor.id })}>
          {actorText(actor)}
        </a>{" "}
        <Change workspace={slug} entry={entry} />
      </p>
      {facts.length > 4 ? (
        <details>
          <summary>{facts.length} fields</summary>
          <Facts facts={facts} />
        </details>
      ) : (
        <Facts facts={facts} />
      )}
      {action === "link.delete" && (
        <p class="hint">
          A deleted link cannot be brought back. Its slug is free for a new link of this workspace.
        </p>
      )}
      <p class="row small">
        <span class="soft">
          <Time at={at} exact />
        </span>
        <a href={href.audit(slug, { subject: subject.id })}>All about this</a>
        {canRevert && edits && subject.isThere && (
          <a href={href.revertLink(slug, operation)}>Back to the state before this…</a>
        )}
        {canRevert && !subject.isThere && (
          <span class="soft">The link has been deleted since, for good.</span>
        )}
      </p>
    </li>
  );
};

const Pages = ({ slug, query, page }: { slug: string; query: AuditQuery; page: AuditPage }) => {
  const narrowed: Query = toQuery(query);
  return (
    <nav class="pager" aria-label="Pages">
      <p>
        {page.lookedUntil === null ? (
          page.next === null && "That is all."
        ) : (
          <>
            Looked through {number(MOST_LOOKED_THROUGH)} changes, back to <Time at={page.lookedUntil} exact />
            . There may be more before that.
          </>
        )}
      </p>
      <p class="turns">
        {query.before !== undefined && (
          <a href={href.audit(slug, { ...narrowed, before: "" })} rel="first">
            Newest
          </a>
        )}
        {page.next !== null && (
          <a href={href.audit(slug, { ...narrowed, before: page.next })} rel="next">
            {page.lookedUntil === null ? "Older" : "Look further back"}
          </a>
        )}
      </p>
    </nav>
  );
};

async function showAudit(c: PageContext): Promise<Response> {
  const { ctx, membership } = c.var;
  const { slug } = ctx.workspace;
  const query = readQuery(auditQuery, c);
  const seesKeys = membership.role !== "viewer";
  const [page, members, keys] = await Promise.all([
    listAudit(ctx, query, seesKeys),
    listMembers(ctx),
    seesKeys ? listApiKeys(ctx) : [],
  ]);
  const known: Options = [
    ...members.map(({ email }) => [actorOf(email), email] as const),
    ...keys.map(({ id, name, last4 }) => [`key:${id}`, `API key “${name}” (…${last4})`] as const),
    ["operator", "The operator"],
    ["schedule", "The service itself"],
  ];
  const chosen = page.entries.find(({ actor }) => actor.id === query.actor)?.actor;
  const label = chosen === undefined ? (query.actor ?? "") : actorText(chosen);
  return showPage(
    c,
    {
      title: "Audit trail",
      section: "workspace",
      actions: <a href={href.settings(slug)}>Back to the workspace</a>,
    },
    <div class="stack">
      <section class="card" aria-labelledby="filter">
        <h2 id="filter">Narrow it</h2>
        <Filters slug={slug} query={query} actors={including(known, query.actor, label)} />
        <p class="hint">
          A slug is one that opens a link now; anything else, also a deleted link, is found by its id. Times
          are in UTC. A page has {ENTRIES_A_PAGE} changes, the newest first; to find those of somebody, of a
          kind or of a time it looks through {number(MOST_LOOKED_THROUGH)} changes at most, and says how far
          it came.
        </p>
      </section>
      <section aria-labelledby="changes" class="stack">
        <h2 id="changes">Changes</h2>
        {page.entries.length === 0 ? (
          <Empty>
            <p>{page.next === null ? "No change fits." : "No change fits so far."}</p>
            <p>
              <a href={href.audit(slug)}>Show everything</a>
            </p>
          </Empty>
        ) : (
          <ol class="trail">
            {page.entries.map((entry) => (
              <Entry slug={slug} entry={entry} edits={membership.role !== "viewer"} />
            ))}
          </ol>
        )}
        <Pages slug={slug} query={query} page={page} />
      </section>
    </div>,
  );
}

/** Who changed what in the workspace, and when. */
export function registerAudit(app: Hono<ConsoleEnv>): void {
  app.get(paths.audit, showAudit);
}
