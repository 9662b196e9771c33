import type { AuditEntry } from "../../resources/audit/service";
import {
  actorText,
  type Batch,
  BatchChange,
  Change,
  countBatch,
  FromTo,
  fieldText,
  Value,
} from "../changes/change";
import { Undo } from "../shell/button";
import { here } from "../shell/href";
import { currentPage } from "../shell/request";
import { Fact, Time } from "../shell/text";

const FieldChanges = ({ fieldChanges }: Pick<AuditEntry, "fieldChanges">) =>
  fieldChanges.length === 0 ? null : (
    <dl class="facts small">
      {fieldChanges.map(({ field, was, is }) => (
        <Fact name={fieldText(field)}>
          {was === undefined ? (
            <Value text={is} />
          ) : is === undefined ? (
            <Value text={was} />
          ) : (
            <FromTo was={was} is={is} />
          )}
        </Fact>
      ))}
    </dl>
  );

const Actor = ({ actor }: Pick<AuditEntry, "actor">) => (
  <a class="actor" href={here.audit({ actor: actor.id })}>
    {actorText(actor)}
  </a>
);

/** A change of many links as one entry, which opens to those of the links. */
const BatchEntry = ({ entry, batch }: { entry: AuditEntry; batch: Batch }) => (
  <li class="card">
    <p>
      <Actor actor={entry.actor} /> <BatchChange entry={entry} batch={batch} />
    </p>
    <div class="row small">
      <span class="soft">
        <Time at={entry.at} exact />
      </span>
      <a href={here.audit({ batch: batch.id })}>Show each</a>
      {currentPage().var.isEditor && entry.isUndoable && (
        <Undo operation={batch.id} label="Undo for all that have not changed since" />
      )}
    </div>
  </li>
);

/** An entry of the trail. `isWhole` is false in the history of one link or change, which has the entries of each link. */
export const Entry = ({ entry, isWhole }: { entry: AuditEntry; isWhole: boolean }) => {
  const { operation, at, actor, action, subject, fieldChanges, batch, isRevertible } = entry;
  if (batch !== null && isWhole) return <BatchEntry entry={entry} batch={batch} />;
  return (
    <li class="card">
      <p>
        <Actor actor={actor} /> <Change entry={entry} />
      </p>
      {fieldChanges.length > 4 ? (
        <details>
          <summary>{fieldChanges.length} fields</summary>
          <FieldChanges fieldChanges={fieldChanges} />
        </details>
      ) : (
        <FieldChanges fieldChanges={fieldChanges} />
      )}
      {action === "link.delete" && (
        <p class="hint">
          A deleted link cannot be restored. Its slug is free for a new link of this workspace.
        </p>
      )}
      <p class="row small">
        <span class="soft">
          <Time at={at} exact />
        </span>
        <a href={here.audit({ subject: subject.id })}>All changes of this</a>
        {batch !== null && (
          <a href={here.audit({ batch: batch.id })}>Part of a change of {countBatch(entry, batch)}</a>
        )}
        {isRevertible && currentPage().var.isEditor && subject.isThere && (
          <a href={here.revertLink(operation)}>Revert to the state before this…</a>
        )}
        {isRevertible && !subject.isThere && (
          <span class="soft">The link has been deleted since, for good.</span>
        )}
      </p>
    </li>
  );
};
