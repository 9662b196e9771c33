import { monotonicFactory } from "ulidx";
import { groupByIdOrSlug } from "../activity-groups/repository";
import type { Context } from "../context";
import {
  assertNone,
  type FieldError,
  linkNotFound,
  MOST_TAGS_ON_LINK,
  TOO_MANY_TAGS,
  UNKNOWN_GROUP,
  untilDecided,
} from "../errors";
import { storedId } from "../lib/ulid-text";
import { outdateSlugsOfLinks, slugsToPushOfLinks } from "../slugs/repository";
import { pushTargets } from "../slugs/sync";
import { type TagRow, tagsByIds } from "../tags/repository";
import {
  attachTagToLinks,
  auditLinks,
  beginItems,
  bumpVersions,
  detachTagFromLinks,
  endItems,
  indexLinks,
  linksAreAt,
  linksByIds,
  linksWithOtherTarget,
  linksWithTag,
  setStatusOfTagsOfLinks,
  unindexLinks,
  updateLinkRows,
} from "./bulk-changes";
import { mayChangeTarget } from "./changes";
import { type GroupInLink, type LinkRow, linkSnapshot, tagsSnapshot } from "./repository";
import { isAsAsked, willCountFor } from "./save";
import type { ChangeLinks, UpdateLink } from "./schema";
import { countedFor, moveTotalsOfMany } from "./totals";
import { fieldsOf } from "./update";

/** What became of one of the links: `unchanged` was as asked already. `slug` is null where there is no such link. */
export type ChangeOutcome = { id: string; slug: string | null } & (
  | { outcome: "changed" | "unchanged" }
  | { outcome: "refused"; message: string }
);

const UNKNOWN_TAG: FieldError = { field: "tag", message: "Tag was not found in this workspace." };

/** How the links that can be changed are changed: what stands in the audit log, what must hold, and the statements. */
interface Plan {
  action: string;
  change: object;
  state: "link" | "tags";
  /** Those that are not as asked. */
  rows: readonly LinkRow[];
  refused: ReadonlyMap<string, string>;
  guards: Parameters<Context["db"]["write"]>[0]["guards"] & object;
  statements: Parameters<Context["db"]["write"]>[1];
  visible: boolean;
}

const rowIdsOf = (rows: readonly LinkRow[]): number[] => rows.map(({ id }) => id);

function planOfTag(workspaceId: number, all: readonly LinkRow[], tag: TagRow, attaches: boolean): Plan {
  const carries = (row: LinkRow) => row.tags.some(({ id }) => id === tag.id);
  const asked = all.filter((row) => carries(row) !== attaches);
  const isFull = (row: LinkRow) => attaches && row.tags.length >= MOST_TAGS_ON_LINK;
  const rows = asked.filter((row) => !isFull(row));
  const ids = rowIdsOf(rows);
  return {
    action: attaches ? "link.attach_tags" : "link.detach_tag",
    change: attaches ? { tag_ids: [tag.public_id] } : { tag_id: tag.public_id },
    state: "tags",
    rows,
    refused: new Map(asked.filter(isFull).map((row) => [row.public_id, TOO_MANY_TAGS.message])),
    guards: [linksWithTag(ids, tag.id, attaches ? 0 : ids.length)],
    statements: [
      ...moveTotalsOfMany(
        workspaceId,
        rows.map((row) => {
          const was = countedFor(row);
          const others = was.tags.filter((id) => id !== tag.id);
          return [was, { ...was, tags: attaches ? [...others, tag.id] : others }];
        }),
      ),
      (attaches ? attachTagToLinks : detachTagFromLinks)(workspaceId, ids, tag.id),
      bumpVersions(workspaceId, ids),
    ],
    visible: false,
  };
}

function planOfUpdate(
  workspaceId: number,
  all: readonly LinkRow[],
  input: UpdateLink,
  group: GroupInLink | undefined,
  at: number,
): Plan {
  const fields = fieldsOf(input, group);
  const { archived, activityGroup } = fields;
  const rows = all.filter((row) => !isAsAsked(row, fields, group));
  const ids = rowIdsOf(rows);
  const moved = activityGroup === undefined ? [] : rows.filter((row) => row.group.id !== activityGroup);
  const visible = mayChangeTarget(fields);
  return {
    action: "link.update",
    change: input,
    state: "link",
    rows,
    refused: new Map(),
    guards: [],
    statements: [
      ...moveTotalsOfMany(
        workspaceId,
        rows.map((row) => [countedFor(row), willCountFor(countedFor(row), fields)]),
      ),
      ...(activityGroup === undefined ? [] : [endItems(workspaceId, rowIdsOf(moved), at)]),
      ...(activityGroup == null ? [] : [beginItems(workspaceId, rowIdsOf(moved), activityGroup, at)]),
      ...(visible
        ? [outdateSlugsOfLinks(workspaceId, linksWithOtherTarget(workspaceId, ids, fields, at), at)]
        : []),
      ...(archived === undefined
        ? []
        : [setStatusOfTagsOfLinks(workspaceId, ids, archived), unindexLinks(workspaceId, ids)]),
      updateLinkRows(workspaceId, ids, fields, at),
      ...(archived === undefined ? [] : [indexLinks(workspaceId, ids)]),
    ],
    visible,
  };
}

const updateFor = (input: ChangeLinks): UpdateLink =>
  input.change === "move"
    ? { activity_group_id: input.activity_group_id ?? null }
    : { status: input.change === "archive" ? "archived" : "active" };

/**
 * Changes many links in one batch, each by the rules and with the history of a change of its own. What a rule refuses stays
 * as it is and does not keep the others from being changed; 404 where none of the ids names a link of the workspace.
 */
export const changeLinks = (ctx: Context, input: ChangeLinks): Promise<ChangeOutcome[]> =>
  untilDecided(async () => {
    const workspaceId = ctx.workspace.rowId;
    const asked = [...new Set(input.ids.map((id) => storedId(id) || id))];
    const tagId = input.change === "tag" || input.change === "untag" ? storedId(input.tag ?? "") : undefined;
    const groupId = input.change === "move" ? (input.activity_group_id ?? undefined) : undefined;
    const [links, tags, groups] = await ctx.db.read(
      linksByIds(workspaceId, asked),
      tagId === undefined ? undefined : tagsByIds(workspaceId, [tagId]),
      groupId === undefined ? undefined : groupByIdOrSlug(workspaceId, storedId(groupId), groupId),
    );
    if (links.length === 0) throw linkNotFound();
    const [tag] = tags;
    const [group] = groups;
    assertNone([
      tagId !== undefined && tag === undefined ? UNKNOWN_TAG : undefined,
      groupId !== undefined && group === undefined ? UNKNOWN_GROUP : undefined,
    ]);

    const at = ctx.now();
    const plan =
      tag === undefined
        ? planOfUpdate(workspaceId, links, updateFor(input), group, at)
        : planOfTag(workspaceId, links, tag, input.change === "tag");
    const changed = new Set(plan.rows.map((row) => row.public_id));
    const outcomes = asked.map((id): ChangeOutcome => {
      const slug = links.find((row) => row.public_id === id)?.slug ?? null;
      const message = slug === null ? linkNotFound().message : plan.refused.get(id);
      if (message !== undefined) return { id, slug, outcome: "refused", message };
      return { id, slug, outcome: changed.has(id) ? "changed" : "unchanged" };
    });
    const [first, ...others] = plan.rows;
    if (first === undefined) return outcomes;

    const nextId = monotonicFactory();
    const { action, change, state } = plan;
    const own = { workspaceId, actor: ctx.actor, action, change, at };
    const snapshot = state === "link" ? linkSnapshot : tagsSnapshot;
    const [toPush] = await ctx.db.write(
      {
        ...own,
        // The row that begins the batch is the first link's own.
        subject: first.public_id,
        before: snapshot(workspaceId, first.public_id),
        guards: [linksAreAt(workspaceId, plan.rows), ...plan.guards],
      },
      [
        auditLinks(
          own,
          state,
          others.map(({ id }) => [nextId(at), id]),
        ),
        ...plan.statements,
      ],
      plan.visible ? slugsToPushOfLinks(workspaceId, rowIdsOf(plan.rows)) : undefined,
    );
    await pushTargets(ctx, toPush, at);
    return outcomes;
  });
