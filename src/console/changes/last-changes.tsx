import type { AuditEntry } from "../../resources/audit/audit-service";
import { Undo } from "../shell/button";
import { here } from "../shell/href";
import { currentPage } from "../shell/page-request";
import { Card, Time } from "../shell/text";
import { actorText, EntryText } from "./change-text";

const MAX_CHANGES = 5;

/** The operations that later entries have undone. The newest entry comes first. */
function toTakenBack(entries: readonly AuditEntry[]): ReadonlySet<string> {
  const takenBack = new Set<string>();
  for (const { operation, reverts } of entries) {
    // An undo that was itself undone has no effect.
    if (reverts !== null && !takenBack.has(operation)) takenBack.add(reverts);
  }
  return takenBack;
}

/** Undoes an entry, or leads to the state before it where later changes would be undone too. */
const UndoEntry = ({
  entry: { operation, subject, batch, import: ofImport, isRevertible, isUndoable },
  isLast,
  isOfLink,
}: {
  entry: AuditEntry;
  /** Whether no later change of the same subject is shown. */
  isLast: boolean;
  isOfLink: boolean;
}) => {
  if (!currentPage().var.isEditor) return null;
  const canRevert = isRevertible && subject.isThere;
  if (ofImport?.isUndoable && !isOfLink) return <Undo operation={ofImport.id} isOfImport />;
  if (isLast && (isOfLink && batch !== null ? canRevert : isUndoable))
    return <Undo operation={isOfLink ? operation : (batch?.id ?? operation)} isOfLink={isOfLink} />;
  return canRevert ? <a href={here.revertLink(operation)}>Revert to the state before…</a> : null;
};

/** The last changes of the workspace or of a group, where a change of many is one entry, or of the link with this id. */
export const LastChanges = ({
  entries,
  link,
  group,
}: {
  entries: readonly AuditEntry[];
  link?: string;
  group?: string;
}) => {
  const takenBack = toTakenBack(entries);
  return (
    <Card id="changes" title="Last changes">
      {entries.length === 0 ? (
        <p class="soft">None yet.</p>
      ) : (
        <ol class="changes">
          {(group === undefined ? entries.slice(0, MAX_CHANGES) : entries).map((entry, index) => (
            <li>
              <span>
                {actorText(entry.actor)} <EntryText entry={entry} isWhole={link === undefined} />
              </span>
              <span class="row small soft">
                <Time at={entry.at} exact />
              </span>
              {entry.reverts === null && !takenBack.has(entry.operation) && (
                <UndoEntry
                  entry={entry}
                  isLast={
                    (entry.batch !== null && link === undefined) ||
                    entries.findIndex(({ subject }) => subject.id === entry.subject.id) === index
                  }
                  isOfLink={link !== undefined}
                />
              )}
            </li>
          ))}
        </ol>
      )}
      <p>
        <a href={here.audit({ subject: link ?? group })}>
          {group === undefined ? "All changes" : "All changes of the group itself"}
        </a>
      </p>
    </Card>
  );
};
