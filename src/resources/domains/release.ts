import { auditEntryIn, type ServiceContext } from "../../context";
import { notFound, retryLostRaces, ServiceError } from "../../errors";
import { normaliseHost } from "../../lib/destination";
import {
  detachAddresses,
  endRelease,
  ensureDomainUnchanged,
  selectDomain,
  selectOpening,
  selectProvedDomain,
  selectReleased,
  updateDomain,
} from "./repository";

/** Gives a removed host free for any workspace, once a job has taken the links from its addresses. Throws 404 or 422. */
export async function releaseDomain(ctx: ServiceContext, typed: string) {
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
    if (row.released_at === null) {
      const change = { ...entry, guards: [ensureDomainUnchanged(row)] };
      await ctx.db.write(change, [updateDomain(workspaceId, host, { released_at: at })]);
    }
    return { host, state, is_primary: false };
  });
  await finishReleases(ctx);
  return released;
}

const ADDRESSES_PER_STATEMENT = 500;
const MAX_STATEMENTS = 10;

/** Takes the links from the addresses of released hosts, in chunks, and then forgets the hosts. */
export async function finishReleases(ctx: ServiceContext): Promise<{ released: number }> {
  const [[next]] = await ctx.db.read(selectReleased(1));
  if (next === undefined) return { released: 0 };
  const detach = detachAddresses(next.workspace_id, next.host, ADDRESSES_PER_STATEMENT);
  const chunks = Math.max(1, Math.min(MAX_STATEMENTS, ctx.db.statementsLeft() - 2));
  for (let chunk = 0; chunk < chunks; chunk++) {
    const [opening] = await ctx.db.writeGuarded([detach], selectOpening(next.workspace_id, next.host));
    if (opening.length === 0) break;
  }
  const [[left]] = await ctx.db.writeGuarded(endRelease(next), selectDomain(next.workspace_id, next.host));
  return { released: left === undefined ? 1 : 0 };
}
