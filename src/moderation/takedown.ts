import type { ServiceContext } from "../context";
import type { Statement } from "../db/client";
import { linkNotFound, retryLostRaces, ServiceError } from "../errors";
import type { Verdict } from "../hosts/resolver";
import { slugKey } from "../lib/slug-text";
import { isoTimeOrNull } from "../lib/time";
import { storedId } from "../lib/ulid-text";
import {
  clearTakedownOfSlug,
  type SlugRow,
  selectSlug,
  updateTakedownOfSlugs,
  whereSlugUnchanged,
} from "../slugs/changes";
import { queuePushes } from "../slugs/pointers";
import { selectSlugsToPush, selectTombstones } from "../slugs/repository";
import { pushTargets } from "../slugs/sync";
import {
  clearTakedownOfLink,
  type ModeratedLinkRow,
  selectLinkAnywhere,
  updateTakedownOfLink,
  whereLinkUnchanged,
} from "./repository";

export interface TakenDownView {
  id: string;
  slug: string;
  destination_url: string;
  verdict: Verdict;
  taken_down_at: string | null;
  taken_down_by: ModeratedLinkRow["taken_down_by"];
}

/** A slug whose link is gone and whose takedown has ended. */
export interface FreedSlugView {
  slug: string;
  taken_down_at: null;
}

const toView = (row: ModeratedLinkRow): TakenDownView => ({
  id: row.public_id,
  slug: row.slug,
  destination_url: row.destination_url,
  verdict: row.verdict,
  taken_down_at: isoTimeOrNull(row.taken_down_at),
  taken_down_by: row.taken_down_by,
});

const asItIs = (what: string, state: string) =>
  new ServiceError(422, { message: `The ${what} is ${state}.` });

/** Changes a link of whatever workspace and pushes every slug that opens it. */
async function change(
  ctx: ServiceContext,
  row: ModeratedLinkRow,
  action: string,
  at: number,
  statements: readonly Statement[],
): Promise<TakenDownView> {
  const { workspace_id: workspaceId, public_id: id } = row;
  const [after, toPush] = await ctx.db.write(
    {
      workspaceId,
      actor: ctx.actor,
      action,
      subject: id,
      at,
      guards: [whereLinkUnchanged(row)],
    },
    statements,
    selectLinkAnywhere(id, ""),
    selectSlugsToPush(workspaceId, [id]),
  );
  await pushTargets(ctx, toPush, at);
  return toView(after[0] ?? row);
}

/**
 * Takes down a link, named by its id or a slug that opens it: its visitors see a page that says so and whom to ask, until
 * it is put back. The operator's takedown stays with the link's slugs, and takes over that of a check. `host` is what a
 * check has found bad: a link that leads elsewhere by then stays.
 */
export const takeDown = (ctx: ServiceContext, named: string, host?: string): Promise<TakenDownView> =>
  retryLostRaces(async () => {
    const [[row]] = await ctx.db.read(selectLinkAnywhere(storedId(named), slugKey(named)));
    if (row === undefined) throw linkNotFound();
    const by = host === undefined ? "operator" : "check";
    if (row.taken_down_by === "operator" || row.taken_down_by === by) {
      throw asItIs(`link ${row.public_id}`, "taken down already");
    }
    if (host !== undefined && row.destination_host !== host) {
      throw asItIs(`link ${row.public_id}`, "led elsewhere now");
    }
    const at = ctx.now();
    return change(ctx, row, "link.takedown", at, [
      by === "operator"
        ? updateTakedownOfSlugs(row.workspace_id, row.id, at, at)
        : queuePushes(row.workspace_id, [row.id], at),
      updateTakedownOfLink(row.id, at, by),
    ]);
  });

/** Ends the takedown of a slug whose link is gone: its workspace may use it again. */
async function freeSlug(ctx: ServiceContext, slug: SlugRow): Promise<FreedSlugView> {
  const { key, workspace_id: workspaceId } = slug;
  if (slug.taken_down_at === null) throw asItIs(`slug ${key}`, "not taken down");
  const at = ctx.now();
  const [toPush] = await ctx.db.write(
    {
      workspaceId,
      actor: ctx.actor,
      action: "slug.restore",
      subject: key,
      at,
      guards: [whereSlugUnchanged(slug)],
    },
    [clearTakedownOfSlug(key, at)],
    selectTombstones(workspaceId, [key]),
  );
  await pushTargets(ctx, toPush, at);
  return { slug: key, taken_down_at: null };
}

/**
 * Puts a link back into service, named by its id or a slug that opens it, or frees a slug whose link is gone. The operator's
 * judgement stands: the link's destination is not checked again.
 */
export const endTakedown = (ctx: ServiceContext, named: string): Promise<TakenDownView | FreedSlugView> =>
  retryLostRaces(async () => {
    const [[row], [slug]] = await ctx.db.read(
      selectLinkAnywhere(storedId(named), slugKey(named)),
      selectSlug(slugKey(named)),
    );
    if (row !== undefined) {
      if (row.taken_down_at === null && row.has_taken_down_slug === 0) {
        throw asItIs(`link ${row.public_id}`, "not taken down");
      }
      const at = ctx.now();
      return change(ctx, row, "link.restore", at, [
        updateTakedownOfSlugs(row.workspace_id, row.id, null, at),
        clearTakedownOfLink(row.id),
      ]);
    }
    if (slug === undefined || slug.link_id !== null) throw linkNotFound();
    return freeSlug(ctx, slug);
  });
