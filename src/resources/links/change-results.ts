import type { Context } from "../../context";
import { notFound } from "../../errors";
import { newId } from "../../lib/ids";
import { assertOwnBatch, MAX_LINKS_PER_COMMIT } from "./batch";
import { actionOf, type ChangeOutcome, changeLinks } from "./change-many";
import type { ChangeLinks } from "./change-schema";
import { listSomeLinks } from "./list";
import type { ListQuery } from "./list/filter";
import type { Batch } from "./write/audit";

/** What a request has changed of many links. */
export interface ChangedLinks {
  outcomes: ChangeOutcome[];
  /** The batch of the changes, to be continued or undone; null if nothing was changed. */
  batch: Batch | null;
  /** The cursor at which the next request goes on; null at the end. */
  next: string | null;
  /** How many links the next request may still look at; undefined for no limit. */
  left?: number | undefined;
}

/** Where a change of all results goes on, and the batch that it has begun. */
interface ChangeProgress {
  after: string | undefined;
  batch: Batch | null;
  left?: number | undefined;
}

const wasChanged = (outcomes: readonly ChangeOutcome[]): boolean =>
  outcomes.some(({ outcome }) => outcome === "changed");

/** Changes the links with these ids. */
export async function changeChosenLinks(ctx: Context, input: ChangeLinks): Promise<ChangedLinks> {
  const batch = { id: newId(ctx.now()), isStarted: false };
  const outcomes = await changeLinks(ctx, input, batch);
  return { outcomes, batch: wasChanged(outcomes) ? { ...batch, isStarted: true } : null, next: null };
}

/**
 * Changes the links that a list finds, the newest first. One request changes at most 250; `progress` is where the next
 * one goes on. All of them are one batch.
 */
export async function changeAllLinks(
  ctx: Context,
  query: ListQuery,
  change: Omit<ChangeLinks, "ids">,
  progress: ChangeProgress = { after: undefined, batch: null },
): Promise<ChangedLinks> {
  if (progress.batch !== null) await assertOwnBatch(ctx, progress.batch.id, actionOf(change.change));
  const {
    items: found,
    nextAfter,
    meta,
    lookedAt,
  } = await listSomeLinks(ctx, {
    ...query,
    sort: "-created_at",
    page: 1,
    per_page: MAX_LINKS_PER_COMMIT,
    after: progress.after,
    readsAllPages: true,
  });
  // A search that is cut looks at further links as soon as the first ones are archived. Nobody has asked for those.
  const most = progress.left ?? (lookedAt === null || progress.after !== undefined ? undefined : meta.total);
  const items = found.slice(0, most);
  const left = most === undefined ? undefined : most - items.length;
  // Links that others have changed since the last chunk may leave nothing to do at its end.
  if (items.length === 0 && progress.after === undefined) throw notFound("Link");
  if (items.length === 0) return { outcomes: [], batch: progress.batch, next: null };
  const batch = progress.batch ?? { id: newId(ctx.now()), isStarted: false };
  const ids = items.map(({ id }) => id);
  const outcomes = await changeLinks(ctx, { ...change, ids }, batch);
  const isStarted = batch.isStarted || wasChanged(outcomes);
  return {
    outcomes,
    batch: isStarted ? { ...batch, isStarted } : null,
    next: left === 0 ? null : nextAfter,
    left,
  };
}
