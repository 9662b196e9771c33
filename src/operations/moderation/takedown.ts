import { auditEntryIn, type ServiceContext } from "../../context";
import type { AuditedChange, Statement } from "../../db/client";
import { notFound, retryLostRaces, ServiceError } from "../../errors";
import { namedKey, shortUrlOf } from "../../lib/short-url";
import { isoTimeOrNull } from "../../lib/time";
import { storedId } from "../../lib/ulid-text";
import { writeToKv } from "../../redirect/slugs/kv-writer";
import { ensureSlugUnchanged, type SlugRow, selectSlug } from "../../redirect/slugs/statements/changes";
import { markSlugs, RANKS } from "../../redirect/slugs/statements/marks";
import { selectSlugsToWrite, selectTombstones } from "../../redirect/slugs/statements/targets";
import type { EventKind } from "../../resources/events/event-kinds";
import { queueLinkEvents } from "../../resources/links/link";
import { type Alert, queueAlerts } from "../alerts/queue-alerts";
import {
  clearTakedownOfLink,
  ensureLinkUnchanged,
  type ModeratedLinkRow,
  selectLinkAnywhere,
  updateTakedownOfLink,
} from "./moderation-repository";

const toView = (row: ModeratedLinkRow) => ({
  id: row.public_id,
  slug: row.slug,
  destination_url: row.destination_url,
  host_check: row.hostCheck,
  taken_down_at: isoTimeOrNull(row.taken_down_at),
  taken_down_by: row.taken_down_by,
});

type TakenDownLink = ReturnType<typeof toView>;

const alreadySo = (what: string, state: string) =>
  new ServiceError(422, { message: `The ${what} is ${state}.` });

function toAlert({ config }: ServiceContext, row: ModeratedLinkRow, at: number): Alert {
  const shortUrl = shortUrlOf(config, row.domain, row.slug);
  return {
    key: `link.taken_down:${row.public_id}:${at}`,
    kind: "link.taken_down",
    workspaceId: row.workspace_id,
    text: `A check took down ${shortUrl} of the workspace "${row.workspace_name}", because ${row.destination_host} is known to spread malware.`,
    facts: { link: row.public_id, short_url: shortUrl, host: row.destination_host },
  };
}

async function change(
  ctx: ServiceContext,
  row: ModeratedLinkRow,
  entry: Pick<AuditedChange, "action" | "space">,
  kind: EventKind,
  at: number,
  statements: readonly Statement[],
): Promise<TakenDownLink> {
  const { workspace_id: workspaceId, public_id: id } = row;
  const told = row.has_receivers === 0 ? [] : await queueLinkEvents(ctx, workspaceId, [id], kind, at);
  const [after, toWrite] = await ctx.db.write(
    { ...auditEntryIn(workspaceId, ctx, entry.action, id, at), ...entry, guards: [ensureLinkUnchanged(row)] },
    [...statements, ...told],
    selectLinkAnywhere(id, ""),
    selectSlugsToWrite(workspaceId, [id]),
  );
  await writeToKv(ctx, toWrite, at);
  return toView(after[0] ?? row);
}

/**
 * Takes down a link by id or slug. The operator's takedown also covers the link's slugs and replaces one by a check. `host`
 * is the host that a check found blocked; the link must still lead there. Throws 404 or 422.
 */
export const takeDown = (ctx: ServiceContext, named: string, host?: string): Promise<TakenDownLink> =>
  retryLostRaces(async () => {
    const [[row]] = await ctx.db.read(selectLinkAnywhere(storedId(named), namedKey(ctx.config, named)));
    if (row === undefined) throw notFound("Link");
    const by = host === undefined ? "operator" : "check";
    if (row.taken_down_by === "operator" || row.taken_down_by === by) {
      throw alreadySo(`link ${row.public_id}`, "taken down already");
    }
    if (host !== undefined && row.destination_host !== host) {
      throw alreadySo(`link ${row.public_id}`, "led elsewhere now");
    }
    const at = ctx.now();
    return change(ctx, row, { action: "link.takedown", space: "frees" }, "link.taken_down", at, [
      markSlugs("links", row.workspace_id, [row.id], {
        at,
        rank: RANKS.takedown,
        ...(by === "operator" && { set: "taken_down_at = ?4," }),
      }),
      updateTakedownOfLink(row.id, at, by),
      ...(by === "check" ? queueAlerts(ctx, [toAlert(ctx, row, at)]) : []),
    ]);
  });

const RESTORED = "taken_down_at = null,";

/** Ends the takedown of a tombstone, which its workspace may then reuse. */
async function freeSlug(ctx: ServiceContext, slug: SlugRow) {
  const { key, workspace_id: workspaceId } = slug;
  if (slug.taken_down_at === null) throw alreadySo(`slug ${key}`, "not taken down");
  const at = ctx.now();
  const [toWrite] = await ctx.db.write(
    { ...auditEntryIn(workspaceId, ctx, "slug.restore", key, at), guards: [ensureSlugUnchanged(slug)] },
    [markSlugs("slugs", workspaceId, [key], { at, rank: RANKS.edit, set: RESTORED })],
    selectTombstones(workspaceId, [key]),
  );
  await writeToKv(ctx, toWrite, at);
  return { slug: key, taken_down_at: null };
}

/** Ends the takedown of a link (by id or slug) or of a tombstone. The destination is not checked again. Throws 404 or 422. */
export const endTakedown = (ctx: ServiceContext, named: string) =>
  retryLostRaces(async () => {
    const [[row], [slug]] = await ctx.db.read(
      selectLinkAnywhere(storedId(named), namedKey(ctx.config, named)),
      selectSlug(namedKey(ctx.config, named)),
    );
    if (row !== undefined) {
      if (row.taken_down_at === null && row.has_taken_down_slug === 0) {
        throw alreadySo(`link ${row.public_id}`, "not taken down");
      }
      const at = ctx.now();
      return change(ctx, row, { action: "link.restore" }, "link.restored", at, [
        markSlugs("links", row.workspace_id, [row.id], { at, rank: RANKS.edit, set: RESTORED }),
        clearTakedownOfLink(row.id),
      ]);
    }
    if (slug === undefined || slug.link_id !== null) throw notFound("Link");
    return freeSlug(ctx, slug);
  });
