import type { Context } from "../../context";
import { notFound } from "../../errors";
import {
  assertOwnBatch,
  batchAfter,
  type ChangedLinks,
  type ChangeProgress,
  MAX_LINKS_PER_COMMIT,
  newBatch,
} from "./batch";
import { actionOf, changeLinks } from "./change-many";
import type { ChangeLinks } from "./change-schema";
import { listSomeLinks } from "./list";
import type { ListQuery } from "./list/filter";

/** Changes the links with these ids. */
export async function changeChosenLinks(
  ctx: Context,
  input: ChangeLinks,
  batch = newBatch(ctx),
): Promise<ChangedLinks> {
  const outcomes = await changeLinks(ctx, input, batch);
  return { outcomes, batch: batchAfter(batch, outcomes), next: null };
}

/**
 * Changes the links that a list finds, the newest first. One request changes at most 250; `progress` is where the next
 * one goes on. All of them are one batch.
 */
export async function changeAllLinks(
  ctx: Context,
  query: ListQuery,
  change: Omit<ChangeLinks, "ids">,
  progress: ChangeProgress = { batch: null },
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
  const ids = items.map(({ id }) => id);
  const changed = await changeChosenLinks(ctx, { ...change, ids }, progress.batch ?? newBatch(ctx));
  return { ...changed, next: left === 0 ? null : nextAfter, left };
}
