import { dateAt, toLocalMoment } from "../../lib/local-time";
import { type AuditQuery, auditQuery } from "../../resources/audit/audit-schema";
import { type AuditEntry, listAudit, MAX_SCANNED_ENTRIES } from "../../resources/audit/audit-service";
import { readActors, withChosen } from "../changes/actors";
import { ACTION_OPTIONS, actorText, countBatch, EntryText, subjectText } from "../changes/change-text";
import { FromTo, fieldText, Value } from "../changes/field-change";
import { Button, Undo } from "../shell/button";
import { here, href } from "../shell/href";
import { Page } from "../shell/layout";
import { currentPage, type PageContext, readQuery } from "../shell/page-request";
import { FindField, Picker } from "../shell/picker";
import { Field, type Options } from "../shell/post-form";
import { currentZone, Empty, Fact, number, Time } from "../shell/text";
import { zoneText } from "../shell/zone-text";

/** Where 14:05 is in a local moment. */
const CLOCK = [11, 16] as const;

const FieldChanges = ({ fieldChanges, subject: { kind } }: Pick<AuditEntry, "fieldChanges" | "subject">) =>
  fieldChanges.length > 0 && (
    <dl class="facts small">
      {fieldChanges.map(({ field, was, is }) => (
        <Fact name={fieldText(field, kind)}>
          {was === undefined || is === undefined ? (
            <Value field={field} text={was ?? is} />
          ) : (
            <FromTo field={field} was={was} is={is} />
          )}
        </Fact>
      ))}
    </dl>
  );

/**
 * An entry of the trail in one line, which opens to its details. A change of many is one entry, which leads to those of the links;
 * `isWhole` is false in the history of one link or change, which has the entries of each link.
 */
const Entry = ({ entry, isWhole }: { entry: AuditEntry; isWhole: boolean }) => {
  const { operation, at, actor, action, subject, fieldChanges, batch, isRevertible, isUndoable } = entry;
  const isOfImport = entry.import?.isUndoable === true;
  const { isEditor } = currentPage().var;
  const isMany = batch !== null && isWhole;
  return (
    <li>
      <p>
        <span>
          <a class="actor" href={here.audit({ actor: actor.id })}>
            {actorText(actor)}
          </a>{" "}
          <EntryText entry={entry} isWhole={isWhole} />
        </span>{" "}
        <time datetime={at} title={at} class="soft">
          {toLocalMoment(at, currentZone()).slice(...CLOCK)}
        </time>
      </p>
      <details>
        <summary>
          <span class="unseen">Details of {subjectText(entry, isWhole)}</span>
        </summary>
        <div class="stack">
          {!isMany && <FieldChanges fieldChanges={fieldChanges} subject={subject} />}
          {action === "link.delete" && (
            <p class="hint">
              A deleted link cannot be restored. Its slug is free for a new link of this workspace.
            </p>
          )}
          <div class="row small">
            {isMany ? (
              <>
                <a href={here.audit({ batch: batch.id })}>Show each</a>
                {isEditor && isUndoable && (
                  <Undo
                    operation={isOfImport ? subject.id : batch.id}
                    isOfImport={isOfImport}
                    label="Undo for all that have not changed since"
                  />
                )}
              </>
            ) : (
              <>
                <a href={here.audit({ subject: subject.id })}>All changes of this</a>
                {batch !== null && (
                  <a href={here.audit({ batch: batch.id })}>Part of a change of {countBatch(entry, batch)}</a>
                )}
                {isRevertible && isEditor && subject.isThere && (
                  <a href={here.revertLink(operation)}>Revert to the state before this…</a>
                )}
                {isUndoable && !isRevertible && isEditor && subject.isThere && <Undo operation={operation} />}
                {isRevertible && !subject.isThere && (
                  <span class="soft">The link has been deleted since, for good.</span>
                )}
              </>
            )}
          </div>
        </div>
      </details>
    </li>
  );
};

/** Entries by day of the workspace's time zone. */
const Days = ({ entries, isWhole }: { entries: readonly AuditEntry[]; isWhole: boolean }) => {
  const zone = currentZone();
  const days = Map.groupBy(entries, ({ at }) => dateAt(at, zone));
  return (
    <>
      {Array.from(days.values(), (ofDay) => (
        <section class="stack">
          <h3>
            <Time at={ofDay[0]?.at ?? ""} />
          </h3>
          <ol class="trail">
            {ofDay.map((entry) => (
              <Entry entry={entry} isWhole={isWhole} />
            ))}
          </ol>
        </section>
      ))}
    </>
  );
};

const AuditFilters = ({ query, actors }: { query: AuditQuery; actors: Options }) => (
  <form method="get" action={here.audit()} class="stack" aria-label="Filter">
    <div class="filters">
      <Picker label="Who" name="actor" value={query.actor} options={actors} none="Everybody" />
      <Picker
        label="Kind"
        name="action"
        value={query.action}
        options={withChosen(ACTION_OPTIONS, query.action, query.action ?? "")}
        none="Everything"
      />
      <Field label="From" name="from" type="date" value={query.from} />
      <Field label="To" name="to" type="date" value={query.to} />
      <FindField label="Slug or id" name="subject" value={query.subject} attributes={{ maxlength: 64 }} />
    </div>
    <p class="row">
      <Button label="Filter" />
      <a href={here.audit()}>Show all</a>
      <span class="hint">
        Days and times are {zoneText(currentZone())}. A deleted link is found by its id.
      </span>
    </p>
  </form>
);

export async function showAudit(c: PageContext): Promise<Response> {
  const { ctx, workspace: slug, isEditor } = c.var;
  const query = readQuery(auditQuery, c);
  const isWhole = query.subject === undefined && query.batch === undefined;
  const [page, known] = await Promise.all([listAudit(ctx, query, isEditor), readActors(c)]);
  const actors: Options = [...known, ["schedule", "The service itself"]];
  const entryActor = page.entries.find(({ actor }) => actor.id === query.actor)?.actor;
  const label = entryActor === undefined ? (query.actor ?? "") : actorText(entryActor);
  return c.render(
    <Page
      title={query.batch === undefined ? "Audit trail" : "A change of many"}
      section="workspace"
      crumbs={["workspace", ...(isWhole ? [] : [{ label: "Audit trail", href: href.audit(slug) }])]}
      class="stack"
    >
      <AuditFilters query={query} actors={withChosen(actors, query.actor, label)} />
      <section aria-labelledby="changes" class="stack">
        <h2 id="changes" class="unseen">
          Changes
        </h2>
        {page.entries.length === 0 ? (
          <Empty text={page.next === null ? "No changes match." : "No changes match so far."}>
            <p>
              <a href={href.audit(slug)}>Show all</a>
            </p>
          </Empty>
        ) : (
          <Days entries={page.entries} isWhole={isWhole} />
        )}
        <nav class="pager" aria-label="Pages">
          <p>
            {page.lookedUntil === null ? (
              page.next === null && "That is all."
            ) : (
              <>
                Looked through {number(MAX_SCANNED_ENTRIES)} changes, back to{" "}
                <Time at={page.lookedUntil} exact />. There may be more before that.
              </>
            )}
          </p>
          <p class="turns">
            {query.before !== undefined && (
              <a href={href.audit(slug, { ...query, before: undefined })} rel="first">
                Newest
              </a>
            )}
            {page.next !== null && (
              <a href={href.audit(slug, { ...query, before: page.next })} rel="next">
                {page.lookedUntil === null ? "Older" : "Look further back"}
              </a>
            )}
          </p>
        </nav>
      </section>
    </Page>,
  );
}
