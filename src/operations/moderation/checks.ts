import type { ServiceContext } from "../../context";
import { DAY_MS } from "../../lib/time";
import { markSlugs, rankOf } from "../../redirect/slugs/statements/marks";
import { checkHosts, nextCheck } from "../../resources/destinations/hosts";
import {
  queueMissingChecks,
  selectDueChecks,
  selectDueRules,
  updateHostChecks,
  updateRuleChecks,
} from "./moderation-repository";
import { takeDown } from "./takedown";

/** Of links, and of rules. The free plan allows 50 outgoing calls per invocation. */
const MAX_HOSTS_PER_RUN = 20;
/** The most that a takedown sends. */
const STATEMENTS_PER_TAKEDOWN = 12;
/** Of links, and of rules. */
const MAX_ROWS_PER_RUN = 1_000;
const MAX_QUEUED_CHECKS_PER_DAY = 10_000;

const firstHosts = (due: readonly { host: string }[]): string[] =>
  [...new Set(due.map(({ host }) => host))].slice(0, MAX_HOSTS_PER_RUN);

/**
 * Checks due destinations of links and of rules by host, and takes down links to blocked hosts. A visit skips rules that lead
 * to one. The rest stays due for the next run.
 */
export async function checkDestinations(ctx: ServiceContext): Promise<{ hosts: number; takenDown: number }> {
  if (ctx.config.resolver === null) return { hosts: 0, takenDown: 0 };
  const now = ctx.now();
  const [links, rules] = await ctx.db.read(
    selectDueChecks(now, now - 7 * DAY_MS, MAX_ROWS_PER_RUN),
    selectDueRules(now, MAX_ROWS_PER_RUN),
  );
  const hosts = new Set([...firstHosts(links), ...firstHosts(rules)]);
  if (hosts.size === 0) return { hosts: 0, takenDown: 0 };
  const checked = await checkHosts(ctx.config, hosts);
  const withResult = <Due extends { host: string }>(due: readonly Due[]) =>
    due.flatMap((one) => {
      const hostCheck = checked.get(one.host);
      if (hostCheck === undefined) return [];
      return [{ ...one, host_check: hostCheck, check_at: nextCheck(ctx.config, hostCheck, now) }];
    });
  const checkedLinks = withResult(links);
  const kept = checkedLinks.filter(({ host_check: hostCheck }) => hostCheck !== "blocked");
  const checkedRules = withResult(rules);
  // A visit skips rules to a blocked host.
  const touched = checkedRules
    .filter(({ was_blocked: was, host_check: check }) => (was === 1) !== (check === "blocked"))
    .map((rule) => [rule.workspace_id, rule.link_id]);
  const mark = { at: now, rank: rankOf(touched.length, true) };
  await ctx.db.writeGuarded([
    updateHostChecks(kept),
    updateRuleChecks(checkedRules),
    ...(touched.length === 0 ? [] : [markSlugs("link_rules", null, touched, mark)]),
  ]);
  const bad = checkedLinks.filter(({ host_check: hostCheck }) => hostCheck === "blocked");
  const maxTakenDown = Math.floor(ctx.db.statementsLeft() / STATEMENTS_PER_TAKEDOWN);
  // A link that was changed or deleted meanwhile fails alone.
  const ended = await Promise.allSettled(
    bad.slice(0, maxTakenDown).map(({ public_id: id, host }) => takeDown(ctx, id, host)),
  );
  return { hosts: hosts.size, takenDown: ended.filter(({ status }) => status === "fulfilled").length };
}

export async function bookChecks(ctx: ServiceContext): Promise<void> {
  if (ctx.config.resolver !== null)
    await ctx.db.writeOnce(queueMissingChecks(ctx.now(), MAX_QUEUED_CHECKS_PER_DAY));
}
