import { selectServedDomains } from "../../access/statements";
import type { Context } from "../../context";
import { assertNone, type FieldError, notFound, retryLostRaces } from "../../errors";
import { MAX_TAGS_ON_LINK } from "../../lib/link-fields";
import { storedId } from "../../lib/ulid-text";
import { selectGroupByIdOrSlug } from "../activity-groups/statements";
import { selectTagsByIds } from "../tags/statements";
import { checkMoves } from "./change-domain";
import type { ChangeLinks } from "./change-schema";
import { chooseDomain, INVALID_DOMAIN } from "./choose-domain";
import { TOO_MANY_TAGS, UNKNOWN_GROUP } from "./errors";
import { checkReplacement } from "./replace-destination";
import { type LinkRow, type LinkState, selectLinksByIds, type TagInLink } from "./repository";
import { endProblem } from "./rules";
import type { UpdateLink } from "./schema";
import type { Batch } from "./write/audit";
import { commitLinks } from "./write/commit";
import { type Found, nextState } from "./write/next-state";

/** `unchanged` means that the link already had the requested state. A changed link may lack some of it, with the reason. */
export type Outcome =
  | { outcome: "changed"; message?: string }
  | { outcome: "unchanged" }
  | { outcome: "refused"; message: string };

/** The result for one link; `slug` is null if it does not exist. */
export type ChangeOutcome = { id: string; slug: string | null } & Outcome;

const UNKNOWN_TAG: FieldError = {
  field: "tag",
  message: "Tag was not found in this workspace.",
  code: "unknown",
};

/** The input of the same change as an update of one link. */
const inputOf = ({ change, activity_group_id: group = null, domain, set = {} }: ChangeLinks): UpdateLink => {
  if (change === "set") return set;
  if (change === "move") return { activity_group_id: group };
  if (change === "domain" && domain != null) return { domain };
  if (change === "archive" || change === "restore")
    return { status: change === "archive" ? "archived" : "active" };
  return {};
};

/** The action of the operation on one link that the audit log gets. */
export const actionOf = (change: ChangeLinks["change"]): string => {
  if (change === "tag") return "link.attach_tags";
  return change === "untag" ? "link.detach_tag" : "link.update";
};

/** Its input. */
const auditedInput = (asked: UpdateLink, change: ChangeLinks["change"], tag: TagInLink | undefined) => {
  if (tag === undefined) return asked;
  return change === "tag" ? { tag_ids: [tag.public_id] } : { tag_id: tag.public_id };
};

const tagsAfter = ({ tags }: LinkRow, tag: TagInLink, attaches: boolean): readonly TagInLink[] => {
  const others = tags.filter(({ id }) => id !== tag.id);
  return attaches ? [...others, tag] : others;
};

/** The name of the tag, Activity Group or domain that a change is about. */
export async function findNameIn(
  ctx: Context,
  { change, tag, activity_group_id: group, domain }: Omit<ChangeLinks, "ids">,
): Promise<string | undefined> {
  const workspaceId = ctx.workspace.rowId;
  if ((change === "tag" || change === "untag") && tag != null) {
    const [[row]] = await ctx.db.read(selectTagsByIds(workspaceId, [storedId(tag)]));
    return row?.name;
  }
  if (change === "domain") return domain ?? undefined;
  if (change !== "move" || group == null) return undefined;
  const [[row]] = await ctx.db.read(selectGroupByIdOrSlug(workspaceId, storedId(group), group));
  return row?.name;
}

/**
 * Changes many links in one batch, by the rules and with the history of single changes. A link that a rule refuses does
 * not affect the others; 404 if no id names a link of the workspace.
 */
export const changeLinks = (ctx: Context, input: ChangeLinks, batch?: Batch): Promise<ChangeOutcome[]> =>
  retryLostRaces(async () => {
    const workspaceId = ctx.workspace.rowId;
    const asked = [...new Set(input.ids.map((id) => storedId(id) || id))];
    const tagId = input.change === "tag" || input.change === "untag" ? storedId(input.tag ?? "") : undefined;
    const groupId = input.change === "move" ? (input.activity_group_id ?? undefined) : undefined;
    const [rows, [tag], [group], served] = await ctx.db.read(
      selectLinksByIds(workspaceId, asked),
      tagId === undefined ? undefined : selectTagsByIds(workspaceId, [tagId]),
      groupId === undefined ? undefined : selectGroupByIdOrSlug(workspaceId, storedId(groupId), groupId),
      input.change === "domain" ? selectServedDomains(workspaceId) : undefined,
    );
    if (rows.length === 0) throw notFound("Link");
    const isMoved = input.change === "domain";
    const domain = isMoved ? chooseDomain(ctx.config, input.domain, served) : undefined;
    assertNone([
      isMoved && domain === undefined ? INVALID_DOMAIN : undefined,
      tagId !== undefined && tag === undefined ? UNKNOWN_TAG : undefined,
      groupId !== undefined && group === undefined ? UNKNOWN_GROUP : undefined,
    ]);

    const moves = domain === undefined ? undefined : await checkMoves(ctx, rows, domain);
    const replaced = input.change === "replace" ? await checkReplacement(ctx, rows, input) : undefined;
    const refusalOf = ({ was, will }: { was: LinkRow; will: LinkState }): string | undefined =>
      will.tags.length > MAX_TAGS_ON_LINK
        ? TOO_MANY_TAGS.message
        : (endProblem(will)?.message ??
          moves?.refusals.get(was.public_id) ??
          replaced?.get(was.public_id)?.refusal);
    const at = ctx.now();
    const changes = rows.flatMap((was) => {
      const other = replaced?.get(was.public_id);
      const update = other === undefined ? inputOf(input) : { destination_url: other.will };
      const found: Found =
        tag === undefined
          ? { group, domain, ...other?.found }
          : { tags: tagsAfter(was, tag, input.change === "tag") };
      const will = nextState(was, update, found, at);
      return will === undefined ? [] : [{ was, will, input: auditedInput(update, input.change, tag) }];
    });
    const possible = changes.filter((change) => refusalOf(change) === undefined);
    const outcomeOf = (id: string): ChangeOutcome => {
      const slug = rows.find((row) => row.public_id === id)?.slug ?? null;
      if (slug === null) return { id, slug, outcome: "refused", message: notFound("Link").message };
      const change = changes.find(({ was }) => was.public_id === id);
      if (change === undefined) return { id, slug, outcome: "unchanged" };
      const message = refusalOf(change);
      return message === undefined
        ? { id, slug, outcome: "changed" }
        : { id, slug, outcome: "refused", message };
    };
    if (possible.length > 0)
      await commitLinks(ctx, possible, {
        action: actionOf(input.change),
        at,
        ...(moves && { claims: moves.claims }),
        ...(batch && { batch }),
      });
    return asked.map(outcomeOf);
  });
