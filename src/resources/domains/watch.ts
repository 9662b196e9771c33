import type { ServiceContext } from "../../context";
import { MINUTE_MS } from "../../lib/time";
import { type DomainRow, selectLeastChecked, updateChecked } from "./domain-repository";
import { isRouted } from "./proof";

/** No host is asked after this time. */
const RUN_MS = 5 * MINUTE_MS;
/** The platform opens six connections at once. */
const MAX_ASKED_AT_ONCE = 5;
/** What the job sends besides asking hosts. */
const STATEMENTS = 4;
/** An active host that does not answer is asked twice. */
const CALLS_PER_HOST = 2;

/** Asks hosts whether they answer with the mark of this installation, several at once, as far as time and calls allow. */
async function askAll(ctx: ServiceContext, rows: readonly DomainRow[], maxCalls: number) {
  const latest = ctx.now() + RUN_MS;
  const waiting = [...rows];
  const asked: { was: DomainRow; isAnswering: boolean }[] = [];
  let callsLeft = maxCalls;
  const worker = async () => {
    while (callsLeft >= CALLS_PER_HOST && ctx.now() < latest) {
      const was = waiting.shift();
      if (was === undefined) return;
      callsLeft -= CALLS_PER_HOST;
      let isAnswering = await isRouted(ctx.config, was.host);
      if (isAnswering || was.state !== "active") callsLeft++;
      else isAnswering = await isRouted(ctx.config, was.host);
      asked.push({ was, isAnswering });
    }
  };
  await Promise.all(Array.from({ length: MAX_ASKED_AT_ONCE }, worker));
  return asked;
}

/**
 * Looks whether proved hosts lead here: a verified one that does becomes active, and of an active one that does not it is
 * stored since when. Those that were looked at longest ago come first. Locally no host can be asked.
 */
export async function watchDomains(ctx: ServiceContext) {
  // A plan allows as many outgoing calls an invocation as statements. Two are left for others.
  const maxCalls = ctx.config.maxStatements - 2;
  const isSpent = ctx.db.statementsLeft() < STATEMENTS;
  const [rows] = await ctx.db.read(ctx.config.isLocal || isSpent ? undefined : selectLeastChecked(maxCalls));
  const at = ctx.now();
  const asked = await askAll(ctx, rows, maxCalls);
  const checked = asked.map(({ was, isAnswering }) => ({
    id: was.id,
    state: isAnswering ? ("active" as const) : was.state,
    failing_since: isAnswering || was.state !== "active" ? null : (was.failing_since ?? at),
    checked_at: at,
  }));
  const activated = asked.filter(({ was, isAnswering }) => isAnswering && was.state === "verified");
  const [first, ...others] = activated.map(({ was }) => ({
    workspaceId: was.workspace_id,
    subject: was.host,
    change: {},
  }));
  const update = updateChecked(checked);
  if (first !== undefined) {
    await ctx.db.write({ ...first, actor: ctx.actor, action: "domain.check", at, others }, [update]);
  } else if (checked.length > 0) {
    await ctx.db.writeGuarded([update]);
  }
  const failing = checked.filter(({ failing_since: since }) => since !== null);
  return { asked: asked.length, activated: activated.length, failing: failing.length };
}
