import { auditEntryIn, type ServiceContext } from "../../context";
import { notFound, retryLostRaces, ServiceError } from "../../errors";
import { normaliseHost } from "../../lib/destination";
import { writeWholeToKv } from "../../redirect/slugs/kv-writer";
import { openWide } from "../../redirect/slugs/statements/wide";
import {
  endRelease,
  ensureDomainUnchanged,
  selectDomain,
  selectProvedDomain,
  selectReleased,
  updateDomain,
} from "./domain-repository";

/**
 * Gives a removed host free for any workspace, once a job has taken the links from its addresses and KV shows it. A second call
 * before that begins anew. Throws 404 or 422.
 */
export async function releaseDomain(ctx: ServiceContext, typed: string) {
  // A release that can end does, and one that waits begins anew.
  await finishReleases(ctx);
  const released = await retryLostRaces(async () => {
    const [[row]] = await ctx.db.read(selectProvedDomain(normaliseHost(typed) ?? typed));
    if (row === undefined) throw notFound("Domain");
    const { host, state, workspace_id: workspaceId } = row;
    if (row.removed_at === null) {
      throw new ServiceError(422, {
        message: `The host ${host} is in use. Remove it from its workspace first.`,
      });
    }
    const at = ctx.now();
    const entry = auditEntryIn(workspaceId, ctx, "domain.release", host, at);
    const opening = openWide("domain", host, at);
    if (row.released_at === null) {
      const change = { ...entry, space: "frees" as const, guards: [ensureDomainUnchanged(row)] };
      await ctx.db.write(change, [updateDomain(workspaceId, host, { released_at: at }), opening]);
    } else await ctx.db.writeGuarded([opening]);
    await writeWholeToKv(ctx, "domain", host, "gone");
    return { host, state, is_primary: false };
  });
  await finishReleases(ctx);
  return released;
}

const MAX_RELEASES = 10;
const STATEMENTS_PER_RELEASE = 3;

/** Forgets the released hosts of which KV shows nothing any more. The job of the outbox takes the links from their addresses. */
export async function finishReleases(ctx: ServiceContext): Promise<{ released: number }> {
  const [waiting] = await ctx.db.read(selectReleased(MAX_RELEASES));
  let released = 0;
  for (const next of waiting) {
    if (ctx.db.statementsLeft() < STATEMENTS_PER_RELEASE) break;
    const [[left]] = await ctx.db.writeGuarded(
      endRelease(next, ctx.now()),
      selectDomain(next.workspace_id, next.host),
    );
    if (left === undefined) released++;
  }
  return { released };
}
