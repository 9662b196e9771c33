import type { Context } from "../../../context";
import type { WorkspaceEvent } from "../../events/event-kinds";
import { toLink } from "../link";
import type { Link } from "../link-schema";
import { isArchived, type LinkChange } from "./link-state";

/** They say nothing that the kind of an event does not say. */
const SAID: ReadonlySet<string> = new Set(["status", "archived_at", "updated_at"]);

const differentFields = (was: Link, is: Link): string[] => {
  const before = new Map(Object.entries(was));
  const names = new Set([...Object.keys(is), ...before.keys()]);
  return [...names].filter(
    (name) => !SAID.has(name) && JSON.stringify(before.get(name)) !== JSON.stringify(is[name as keyof Link]),
  );
};

/** What the receivers of a workspace hear of a change of links. What the interface does not show is no event. */
export function eventsOf(config: Context["config"], changes: readonly LinkChange[]): WorkspaceEvent[] {
  return changes.flatMap(({ was, will }): WorkspaceEvent[] => {
    const [before, data] = [was && toLink(was, config), will && toLink(will, config)];
    if (data === undefined)
      return before === undefined ? [] : [{ kind: "link.deleted", subject: before.id, data: before }];
    const { id: subject } = data;
    if (was === undefined || before === undefined) return [{ kind: "link.created", subject, data }];
    const changed = differentFields(before, data);
    const events: WorkspaceEvent[] =
      changed.length === 0 ? [] : [{ kind: "link.updated", subject, data: { ...data, changed } }];
    if (will !== undefined && isArchived(was) !== isArchived(will))
      events.push({ kind: isArchived(will) ? "link.archived" : "link.restored", subject, data });
    return events;
  });
}
