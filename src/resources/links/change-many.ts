import { selectServedDomains, selectUsage } from "../../access/workspace-statements";
import type { Context } from "../../context";
import { AlreadyDone, notFound, retryLostRaces } from "../../errors";
import { assertNone, notInWorkspace } from "../../field-errors";
import { chunksWithin } from "../../lib/chunks";
import { hasDays } from "../../lib/days";
import type { Failure } from "../../lib/failure";
import { idOfForm } from "../../lib/ids";
import { MAX_TAGS_ON_LINK } from "../../lib/link-fields";
import { storedId } from "../../lib/ulid-text";
import { selectGroupNamed } from "../activity-groups/group-statements";
import { selectTagsByIds } from "../tags/tag-statements";
import {
  assertOwnBulkChange,
  type BulkResult,
  bulkChangeAfter,
  type ChangeOutcome,
  type ChangeProgress,
  MAX_CHARACTERS_PER_CHUNK,
  MAX_LINKS_PER_COMMIT,
  newBulkChange,
  type Outcome,
} from "./bulk-change";
import { checkMoves } from "./change-domain";
import type { ChangeLinks } from "./change-schema";
import { chooseDomain, INVALID_DOMAIN } from "./choose-domain";
import { TOO_MANY_TAGS, UNKNOWN_GROUP } from "./link-errors";
import { type MeasuredLink, selectSizesByIds } from "./link-outlines-repository";
import { type LinkRow, type LinkState, selectLinksByIds, type TagInLink } from "./link-repository";
import { endProblem } from "./link-rules";
import type { UpdateLink } from "./link-schema";
import type { ListQuery } from "./list/list-filter";
import { listSomeSizes } from "./list-links";
import { checkReplacement } from "./replace-destination";
import type { BulkChange } from "./write/audit-entries";
import { commitLinks } from "./write/commit";
import { nextState, type Resolved } from "./write/next-state";

const UNKNOWN_TAG = notInWorkspace("tag", "Tag");

const inputOf = ({
  change,
  activity_group_id: group = null,
  domain,
  set = {},
}: Omit<ChangeLinks, "ids">): UpdateLink => {
  if (change === "set") return set;
  if (change === "move") return { activity_group_id: group };
  if (change === "domain" && domain != null) return { domain };
  if (change === "archive" || change === "restore")
    return { status: change === "archive" ? "archived" : "active" };
  return {};
};

const actionOf = (change: ChangeLinks["change"]): string => {
  if (change === "tag") return "link.attach_tags";
  return change === "untag" ? "link.detach_tag" : "link.update";
};

const auditedInput = (asked: UpdateLink, change: ChangeLinks["change"], tag: TagInLink | undefined) => {
  if (tag === undefined) return asked;
  return change === "tag" ? { tag_ids: [tag.public_id] } : { tag_id: tag.public_id };
};

const tagsAfter = ({ tags }: LinkRow, tag: TagInLink, attaches: boolean): readonly TagInLink[] => {
  const others = tags.filter(({ id }) => id !== tag.id);
  return attaches ? [...others, tag] : others;
};

export async function findNameIn(
  ctx: Context,
  { change, tag, activity_group_id: group, domain }: Omit<ChangeLinks, "ids">,
): Promise<string | undefined> {
  if (change === "domain") return domain ?? undefined;
  const workspaceId = ctx.workspace.rowId;
  const isOfTag = (change === "tag" || change === "untag") && tag != null;
  const [tags, groups] = await ctx.db.read(
    isOfTag ? selectTagsByIds(workspaceId, [storedId(tag)]) : undefined,
    change === "move" ? selectGroupNamed(workspaceId, group) : undefined,
  );
  return [...tags, ...groups][0]?.name;
}

const NOT_FOUND: Failure = { field: "link", code: "unknown", message: "Link not found." };
const NO_LINK = { slug: null, outcome: "refused", failures: [NOT_FOUND] } as const;

/** Fewer links fit into an instance, however long they are. */
const MIN_MEASURED_LINKS = 22;

/**
 * Changes the links with these ids in one batch, by the rules and with the history of single changes. A link that a rule refuses
 * does not affect the others; 404 if no id names a link of the workspace.
 */
export async function changeChosenLinks(
  ctx: Context,
  input: ChangeLinks,
  begun: BulkChange | null = null,
): Promise<BulkResult> {
  const ids = [...new Set(input.ids.map((id) => storedId(id) || id))];
  if (ids.length < MIN_MEASURED_LINKS) return changeAtOnce(ctx, input, ids, begun);
  const [sizes] = await ctx.db.read(selectSizesByIds(ctx.workspace.rowId, ids));
  if (sizes.length === 0) throw notFound("Link");
  const { outcomes, ...changed } = await changeMeasuredLinks(ctx, input, sizes, begun);
  const outcomeOf = new Map(outcomes.map((outcome) => [outcome.id, outcome]));
  return { ...changed, outcomes: ids.map((id) => outcomeOf.get(id) ?? { id, ...NO_LINK }) };
}

/** Changes links in chunks that an instance can hold, usually one. */
export async function changeMeasuredLinks(
  ctx: Context,
  input: Omit<ChangeLinks, "ids">,
  sizes: readonly MeasuredLink[],
  begun: BulkChange | null,
): Promise<BulkResult> {
  const changed: BulkResult = { outcomes: [], batch: begun, next: null };
  let step = 0;
  for (const chunk of chunksWithin(sizes, { of: ({ size }) => size, max: MAX_CHARACTERS_PER_CHUNK })) {
    const ids = chunk.map(({ public_id: id }) => id);
    // Each chunk has an operation of its own, so that the form changes none twice.
    const operation = ctx.operation && (step === 0 ? ctx.operation : await idOfForm(ctx.operation, [step]));
    step++;
    const { outcomes, batch } = await changeAtOnce({ ...ctx, operation }, input, ids, changed.batch).catch(
      (error: unknown) => unchangedIfDone(error, ids, changed.batch ?? newBulkChange(ctx)),
    );
    changed.outcomes.push(...outcomes);
    changed.batch = batch;
  }
  return changed;
}

/** A step that was sent before has nothing to change, and leads on to the next one. */
function unchangedIfDone(error: unknown, ids: readonly string[], { id }: BulkChange): BulkResult {
  if (!(error instanceof AlreadyDone)) throw error;
  const outcomes = ids.map((link) => ({ id: link, slug: null, outcome: "unchanged" as const }));
  return { outcomes, batch: { id, isStarted: true }, next: null };
}

const changeAtOnce = (
  ctx: Context,
  input: Omit<ChangeLinks, "ids">,
  asked: readonly string[],
  begun: BulkChange | null,
): Promise<BulkResult> =>
  retryLostRaces(async () => {
    const workspaceId = ctx.workspace.rowId;
    const tagId = input.change === "tag" || input.change === "untag" ? storedId(input.tag ?? "") : undefined;
    const groupId = input.change === "move" ? input.activity_group_id : undefined;
    const [rows, [tag], [group], served, [use]] = await ctx.db.read(
      selectLinksByIds(workspaceId, asked),
      tagId === undefined ? undefined : selectTagsByIds(workspaceId, [tagId]),
      selectGroupNamed(workspaceId, groupId),
      input.change === "domain" ? selectServedDomains(workspaceId) : undefined,
      hasDays(inputOf(input)) ? selectUsage(workspaceId) : undefined,
    );
    if (rows.length === 0 && begun === null) throw notFound("Link");
    const isMoved = input.change === "domain";
    const domain = isMoved ? chooseDomain(ctx.config, input.domain, served) : undefined;
    assertNone([
      isMoved && domain === undefined ? INVALID_DOMAIN : undefined,
      tagId !== undefined && tag === undefined ? UNKNOWN_TAG : undefined,
      groupId != null && group === undefined ? UNKNOWN_GROUP : undefined,
    ]);

    const moves = domain === undefined ? undefined : await checkMoves(ctx, rows, domain);
    const replaced = input.change === "replace" ? await checkReplacement(ctx, rows, input) : undefined;
    const at = ctx.now();
    const zone = use?.time_zone;
    const changes: { was: LinkRow; will: LinkState; input: object }[] = [];
    const change = (was: LinkRow): Outcome => {
      const other = replaced?.get(was.public_id);
      const update = other === undefined ? inputOf(input) : { destination_url: other.will };
      const found: Resolved =
        tag === undefined
          ? { group, domain, zone, ...other?.found }
          : { tags: tagsAfter(was, tag, input.change === "tag") };
      const will = nextState(was, update, found, at);
      if (will === undefined) return { outcome: "unchanged" };
      const problem = will.tags.length > MAX_TAGS_ON_LINK ? TOO_MANY_TAGS : endProblem(will);
      const failure = problem ?? moves?.refusals.get(was.public_id) ?? other?.refusal;
      if (failure !== undefined) return { outcome: "refused", failures: [failure] };
      changes.push({ was, will, input: auditedInput(update, input.change, tag) });
      return { outcome: "changed" };
    };
    const outcomeOf = new Map(rows.map((was) => [was.public_id, { slug: was.slug, ...change(was) }]));
    const outcomes = asked.map((id): ChangeOutcome => ({ id, ...(outcomeOf.get(id) ?? NO_LINK) }));
    const batch = begun ?? newBulkChange(ctx);
    const action = actionOf(input.change);
    if (changes.length > 0)
      await commitLinks(ctx, changes, { action, at, zone, batch, ...(moves && { claims: moves.claims }) });
    return { outcomes, batch: bulkChangeAfter(batch, outcomes), next: null };
  });

/**
 * Changes the links that a list finds, the newest first. One request changes at most 250; `progress` is where the next
 * one goes on. All of them are one batch.
 */
export async function changeAllLinks(
  ctx: Context,
  query: ListQuery,
  change: Omit<ChangeLinks, "ids">,
  { after, batch, left: leftOver }: ChangeProgress = { batch: null },
): Promise<BulkResult> {
  await assertOwnBulkChange(ctx, batch, actionOf(change.change));
  const page = { sort: "-created_at", page: 1, per_page: MAX_LINKS_PER_COMMIT, after } as const;
  const found = await listSomeSizes(ctx, { ...query, ...page, readsAllPages: true });
  // A search that is cut looks at further links as soon as the first ones are archived. Nobody has asked for those.
  const most = leftOver ?? (found.lookedAt === null || after !== undefined ? undefined : found.meta.total);
  const sizes = found.rows.slice(0, most);
  const left = most === undefined ? undefined : most - sizes.length;
  // Links that others have changed since the last chunk may leave nothing to do at its end.
  if (sizes.length === 0 && after === undefined) throw notFound("Link");
  if (sizes.length === 0) return { outcomes: [], batch, next: null };
  const changed = await changeMeasuredLinks(ctx, change, sizes, batch);
  return { ...changed, next: left === 0 ? null : found.nextAfter, left };
}
