import { z } from "zod";
import { parseObject } from "../audit/facts";
import { auditRowOf } from "../audit/repository";
import type { Context } from "../context";
import { invalid, ServiceError, untilDecided } from "../errors";
import { isoTime } from "../lib/time";
import { fieldsBefore, planFields } from "./revert-fields";
import type { Revert, RevertPlan } from "./revert-plan";
import { planTags } from "./revert-tags";

const tagsBefore = z.object({ tag_ids: z.array(z.string()) });

const OF_FIELDS: ReadonlySet<string> = new Set(["link.update", "link.revert"]);
const OF_TAGS: ReadonlySet<string> = new Set(["link.attach_tags", "link.detach_tag"]);

/** Whether a link can be taken back to before such an action. */
export const isRevertible = (action: string): boolean => OF_FIELDS.has(action) || OF_TAGS.has(action);

/** When a change was made, and what taking it back does. */
export interface DatedRevert extends Revert {
  at: string;
}

async function plan(ctx: Context, operation: string): Promise<RevertPlan & DatedRevert> {
  const [[row]] = await ctx.db.read(auditRowOf(ctx.workspace.rowId, operation));
  if (row === undefined) throw new ServiceError(404, { message: "There is no such change." });
  const { action, subject } = row;
  const at = isoTime(row.at);
  const before = parseObject(row.before);
  const fields = fieldsBefore.safeParse(before);
  if (OF_FIELDS.has(action) && fields.success) {
    return { at, ...(await planFields(ctx, subject, fields.data, operation)) };
  }
  const tags = tagsBefore.safeParse(before);
  if ((OF_FIELDS.has(action) || OF_TAGS.has(action)) && tags.success) {
    return { at, ...(await planTags(ctx, subject, tags.data.tag_ids, operation)) };
  }
  throw new ServiceError(422, { message: "A change of this kind cannot be taken back." });
}

/** What taking a link back to its state before a change would do now. */
export async function previewRevert(ctx: Context, operation: string): Promise<DatedRevert> {
  const { save: _, ...preview } = await plan(ctx, operation);
  return preview;
}

/**
 * Takes a link back to its state before a change, by the rules of an update: all fields that can be, with the reason for
 * each that cannot. Where none can, it is 422 with the reasons.
 */
export const revertLink = (ctx: Context, operation: string): Promise<DatedRevert> =>
  untilDecided(async () => {
    const { save, ...planned } = await plan(ctx, operation);
    if (planned.fields.length > 0) return { ...planned, link: await save() };
    if (planned.refused.length > 0) throw invalid(planned.refused);
    return planned;
  });
