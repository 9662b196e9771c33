import type { ServiceContext } from "../../context";
import { DAY_MS } from "../../lib/time";
import { checkHost, nextCheck } from "../../resources/destinations/resolver";
import {
  type CheckedLink,
  type DueCheck,
  queueMissingChecks,
  selectDueChecks,
  selectDueRuleHosts,
  updateHostChecks,
  updateRuleChecks,
} from "./repository";
import { takeDown } from "./takedown";

/** Of links, and of rules. The free plan allows 50 outgoing calls per invocation. */
const MAX_HOSTS_PER_RUN = 20;
/** The most that a takedown sends. */
const STATEMENTS_PER_TAKEDOWN = 9;
const MAX_LINKS_PER_RUN = 1_000;
const MAX_QUEUED_CHECKS_PER_DAY = 10_000;

/** Checks due destinations by host, and takes down links to blocked hosts. The rest stays due for the next run. */
export async function checkDestinations(ctx: ServiceContext): Promise<{ hosts: number; takenDown: number }> {
  if (ctx.config.resolver === null) return { hosts: 0, takenDown: 0 };
  const now = ctx.now();
  const [due] = await ctx.db.read(selectDueChecks(now, now - 7 * DAY_MS, MAX_LINKS_PER_RUN));
  const byHost = new Map<string, DueCheck[]>();
  for (const link of due) {
    const some = byHost.get(link.host);
    if (some !== undefined) some.push(link);
    else if (byHost.size < MAX_HOSTS_PER_RUN) byHost.set(link.host, [link]);
  }
  const checked = await Promise.all(
    [...byHost].map(async ([host, links]) => ({ host, links, hostCheck: await checkHost(ctx.config, host) })),
  );
  const kept = checked.flatMap(({ host, links, hostCheck }): CheckedLink[] => {
    if (hostCheck === "blocked") return [];
    const checkAt = nextCheck(ctx.config, hostCheck, now);
    return links.map(({ id }) => ({ id, host, host_check: hostCheck, check_at: checkAt }));
  });
  if (kept.length > 0) await ctx.db.writeUnaudited(updateHostChecks(kept));
  const bad = checked.flatMap(({ links, hostCheck }) => (hostCheck === "blocked" ? links : []));
  const maxTakenDown = Math.floor(ctx.db.statementsLeft() / STATEMENTS_PER_TAKEDOWN);
  // A link that was changed or deleted meanwhile fails alone.
  const ended = await Promise.allSettled(
    bad.slice(0, maxTakenDown).map(({ public_id: id, host }) => takeDown(ctx, id, host)),
  );
  return { hosts: byHost.size, takenDown: ended.filter(({ status }) => status === "fulfilled").length };
}

/** Checks the due hosts of rules. A visit skips the rules that lead to a blocked one. */
export async function checkRules(ctx: ServiceContext): Promise<void> {
  if (ctx.config.resolver === null) return;
  const now = ctx.now();
  const [due] = await ctx.db.read(selectDueRuleHosts(now, MAX_HOSTS_PER_RUN));
  if (due.length === 0) return;
  const checked = await Promise.all(
    due.map(async ({ host }) => {
      const hostCheck = await checkHost(ctx.config, host);
      return { host, hostCheck, checkAt: nextCheck(ctx.config, hostCheck, now) };
    }),
  );
  await ctx.db.writeUnaudited(updateRuleChecks(now, checked));
}

/** Queues a check for links that were never checked. */
export async function bookChecks(ctx: ServiceContext): Promise<void> {
  if (ctx.config.resolver !== null)
    await ctx.db.writeUnaudited(queueMissingChecks(ctx.now(), MAX_QUEUED_CHECKS_PER_DAY));
}
