import type { AuditEntry } from "../../audit/service";
import { isRevertible } from "../../links/revert/revert";
import { href } from "../href";
import { Time } from "../shell/text";
import { actorText, Change, FromTo, fieldText, Value } from "./change";

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

export const Entry = ({ slug, entry, isEditor }: { slug: string; entry: AuditEntry; isEditor: boolean }) => {
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
        <a href={href.audit(slug, { subject: subject.id })}>All changes of this</a>
        {canRevert && isEditor && subject.isThere && (
          <a href={href.revertLink(slug, operation)}>Back to the state before this…</a>
        )}
        {canRevert && !subject.isThere && (
          <span class="soft">The link has been deleted since, for good.</span>
        )}
      </p>
    </li>
  );
};
