/** What a workspace may be told of, each in words. */
export const EVENT_KINDS = {
  "link.created": "Link created",
  "link.updated": "Link changed",
  "link.archived": "Link archived",
  "link.restored": "Link active again",
  "link.deleted": "Link deleted",
  "link.taken_down": "Link taken down",
  "link.broken": "Destination broken",
  "group.started": "Group started",
  "group.ended": "Group ended",
  "import.finished": "Import finished",
  "visits.counted": "Clicks and scans",
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
