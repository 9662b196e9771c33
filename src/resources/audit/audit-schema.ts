import { z } from "zod";
import { text } from "../../lib/validation";

export const auditQuery = z.object({
  /** `member:<email>`, `key:<id>`, `operator` or `schedule`. */
  actor: text(300).optional(),
  /** The id of the subject, or a slug that opens a link. */
  subject: text(64).optional(),
  /** An action such as `link.update`, or its first word for all of its kind. */
  action: text(64).optional(),
  /** The first day, in the workspace's time zone. */
  from: z.iso.date().optional(),
  /** The last day, in the workspace's time zone and inclusive. */
  to: z.iso.date().optional(),
  /** The id of a change of many, of which all entries are listed. */
  batch: text(128).optional(),
  /** The operation after which the page starts. */
  before: text(128).optional(),
});

export type AuditQuery = z.output<typeof auditQuery>;
