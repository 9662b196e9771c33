/** What a workspace may be told of, each in words. */
export const EVENT_KINDS = {
  "link.created": "A link is created",
  "link.updated": "A link is changed",
  "link.archived": "A link is archived",
  "link.restored": "A link is active again, after it was archived or taken down",
  "link.deleted": "A link is deleted",
  "link.taken_down": "A link is taken down",
  "link.broken": "A link’s destination is broken",
  "group.started": "A group starts",
  "group.ended": "A group ends",
  "import.finished": "An import is finished",
  "visits.counted": "Visits are counted",
} as const;

export type EventKind = keyof typeof EVENT_KINDS;

/** What an owner sends to try a receiver. */
export const TEST_KIND = "test";

export interface WorkspaceEvent {
  /** Its id, if it could be queued twice. */
  id?: string;
  kind: EventKind;
  /** The public id of what it is about. */
  subject: string;
  /** `data` of the body. */
  data: object;
}
