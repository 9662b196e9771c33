import { z } from "zod";
import { isoMoment, text } from "../lib/validation";

const day = () => z.string().length(10).pipe(isoMoment());

export const auditQuery = z.object({
  /** `member:<email>`, `key:<id>`, `operator` or `schedule`. */
  actor: text(300).optional(),
  /** The id of the subject, or a slug that opens a link. */
  subject: text(64).optional(),
  /** An action such as `link.update`, or its first word for all of its kind. */
  action: text(64).optional(),
  /** The first day, in UTC. */
  from: day().optional(),
  /** The last day, in UTC and inclusive. */
  to: day().optional(),
  /** The operation after which the page starts. */
  before: text(128).optional(),
});

export type AuditQuery = z.output<typeof auditQuery>;
