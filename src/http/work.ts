import type { Env } from "../context";
import { perBinding, remember } from "../lib/memory";
import { countOne, isRefused } from "./rate-limit";
import { type Payer, payableOf, type Trace } from "./request-log";

// D1 does one thing at a time for everybody, so its time is limited too: of a caller, and of a workspace.

type WorkLimit = "CALLER_WORK" | "REPORT_WORK" | "WORKSPACE_WORK";

/** A rate limit counts units. */
const UNIT_MS = 10;
/** Of one limit, for one response. The rest is charged with the next one. */
const MAX_UNITS_AT_ONCE = 20;
const MAX_REMEMBERED = 10_000;

/** Milliseconds that are not charged yet, by payer. */
const restsOf = perBinding((_: KVNamespace) => new Map<string, number>());

const workspaceName = (id: number | undefined): string | undefined =>
  id === undefined ? undefined : `workspace:${id}`;

/** Whether this instance knows that the payer has used up the time of a minute. */
export const hasUsedUpTime = (env: Env, { caller, workspaceId, limit = "CALLER_WORK" }: Payer): boolean =>
  isRefused(env, limit, caller) || isRefused(env, "WORKSPACE_WORK", workspaceName(workspaceId));

/** Charges D1's time and the writes of KV since the last call to the payer of the request, if it has one. Undefined if nothing is due yet. */
export function charge(env: Env, trace: Trace): Promise<unknown> | undefined {
  const { payer, charged } = trace;
  const payable = payableOf(trace);
  trace.charged = payable;
  if (payer === undefined || payable <= charged) return undefined;
  const workspace = workspaceName(payer.workspaceId);
  const { caller, limit = "CALLER_WORK" } = payer;
  const ofCaller = unitsDue(env, limit, caller, payable - charged);
  const ofWorkspace = unitsDue(env, "WORKSPACE_WORK", workspace, payable - charged);
  if (ofCaller === 0 && ofWorkspace === 0) return undefined;
  return Promise.all([
    countUnits(env, limit, caller, ofCaller),
    countUnits(env, "WORKSPACE_WORK", workspace, ofWorkspace),
  ]);
}

function unitsDue(env: Env, limit: WorkLimit, id: string | undefined, milliseconds: number): number {
  if (env[limit] === undefined || id === undefined) return 0;
  const rests = restsOf(env.KV);
  const due = (rests.get(id) ?? 0) + milliseconds;
  const units = Math.min(Math.floor(due / UNIT_MS), MAX_UNITS_AT_ONCE);
  remember(rests, id, due - units * UNIT_MS, MAX_REMEMBERED);
  return units;
}

async function countUnits(env: Env, limit: WorkLimit, id: string | undefined, units: number): Promise<void> {
  for (let unit = 0; unit < units; unit++) {
    if (!(await countOne(env, limit, id))) return;
  }
}
