import type { Context } from "../../../context";
import type { Statement } from "../../../db/client";
import type { EventKind, WorkspaceEvent } from "../../events/event-kinds";
import { queueEvents } from "../../events/event-statements";
import { toLink } from "../link";
import { selectLinksByIds } from "../link-repository";
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

/** The statements by which the receivers of a workspace hear of links that show the same as before. */
export async function queueLinkEvents(
  { db, config }: Pick<Context, "db" | "config">,
  workspaceId: number,
  ids: readonly string[],
  kind: EventKind,
  at: number,
  many?: string,
): Promise<Statement[]> {
  const [rows] = await db.read(selectLinksByIds(workspaceId, ids));
  const events = rows.map((row) => ({ kind, subject: row.public_id, data: toLink(row, config) }));
  return queueEvents(workspaceId, events, at, { many: many ?? null });
}
