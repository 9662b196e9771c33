import { etagOf } from "../../lib/etag";
import { fold } from "../../lib/slug-text";
import { isLinkAsAsked } from "../api/differences";
import { WaymarkError } from "../api/error";
import { orDone } from "../api/http";
import type { Link, Tag, Waymark } from "../api/wire-types";
import { EXIT, Refusal } from "../exit";
import { findById } from "../find-links";
import type { Action, Plan } from "./make-plan";

export const DEFAULT_MAX_REMOVALS = 10;

export interface Applied extends Outcomes {
  /** The links of the file by key; undefined if anything failed or was skipped. */
  links: ReadonlyMap<string, Link> | undefined;
}

export interface ApplyOptions {
  maxRemovals?: number | undefined;
  /** Once aborted, nothing more is begun. What is under way ends. */
  signal?: AbortSignal;
  onStep?: (step: Step) => void;
}

type Removal = Extract<Action, { op: "archive" | "delete" }>;
type Write = Exclude<Action, Removal>;

const isRemoval = (action: Action): action is Removal => action.op === "archive" || action.op === "delete";

/** Throws unless the plan may be applied. */
export function assertApplicable(plan: Plan, maxRemovals = DEFAULT_MAX_REMOVALS): void {
  assertNoConflicts(plan);
  const removals = plan.actions.filter(isRemoval).length;
  if (removals <= maxRemovals) return;
  const message = `The plan removes ${removals} links, more than the ${maxRemovals} allowed. Nothing was written.`;
  throw new Refusal(message, EXIT.refused);
}

export function assertNoConflicts({ conflicts }: Plan): void {
  if (conflicts.length === 0) return;
  const what = conflicts.length === 1 ? "A slug leads" : `${conflicts.length} slugs lead`;
  throw new Refusal(`${what} to another link. Nothing was written.`, EXIT.failed);
}

/** Carries out a plan: tags, then links, then removals, which are skipped if anything failed. */
export async function applyPlan(client: Waymark, plan: Plan, options: ApplyOptions = {}): Promise<Applied> {
  assertApplicable(plan, options.maxRemovals);
  const run = startRun(options);
  const links = new Map(plan.unchanged);

  await runPool(plan.tags, (name) => run.step("create_tag", name, () => createTag(client, name)));
  const { failed, skipped } = run.outcomes;
  const missing = new Set([...failed, ...skipped].map(({ key }) => fold(key)));

  await runPool(
    plan.actions.filter((action) => !isRemoval(action)),
    async (action) => {
      const tag = action.input.tag_names?.find((name) => missing.has(fold(name)));
      if (tag !== undefined) return run.skip(action.op, action.key, `The tag "${tag}" was not created.`);
      await run.step(action.op, action.key, async () => {
        links.set(action.key, await writeLink(client, action));
      });
    },
  );

  if (!run.isComplete()) run.stop("Nothing is removed before everything else is done.");
  await runPool(plan.actions.filter(isRemoval), (action) =>
    run.step(action.op, action.key, () => removeLink(client, action)),
  );
  return { ...run.outcomes, links: run.isComplete() ? links : undefined };
}

/** Another run may do the same at once. These statuses of a write are answered if it did. */
const unlessDone = <Result>(write: () => Promise<Result>, findDone: () => Promise<Result | undefined>) =>
  orDone(write, async ({ status }) => ([404, 412, 422].includes(status) ? findDone() : undefined));

const createTag = (client: Waymark, name: string): Promise<Tag> =>
  unlessDone(
    () => client.tags.create({ name }),
    async () => (await client.tags.list()).find((tag) => fold(tag.name) === fold(name)),
  );

async function writeLink(client: Waymark, action: Write): Promise<Link> {
  const { links } = client;
  const write = async () =>
    action.op === "create"
      ? links.create(action.input)
      : links.update(action.link.id, action.input, { ifMatch: await etagOf(action.link) });
  return unlessDone(write, async () => {
    const link = await (action.op === "create"
      ? links.byExternalId(action.input.external_id)
      : findById(client, action.link.id));
    return link !== undefined && isLinkAsAsked(link, action.input) ? link : undefined;
  });
}

async function removeLink(client: Waymark, { op, link }: Removal): Promise<void> {
  const options = { ifMatch: await etagOf(link) };
  const { links } = client;
  await unlessDone<unknown>(
    () => (op === "delete" ? links.delete(link.id, options) : links.archive(link.id, options)),
    async () => {
      const now = await findById(client, link.id);
      return now === undefined || (op === "archive" && now.status === "archived") || undefined;
    },
  );
}

export interface Step {
  op: "create_tag" | Action["op"];
  /** The key of the link, or the name of the tag. */
  key: string;
  outcome: "done" | "failed" | "skipped";
  /** Why it failed or was skipped. */
  message?: string;
  error?: WaymarkError;
}

export type Outcomes = Readonly<Record<Step["outcome"], readonly Step[]>>;

const AT_ONCE = 8;

export const INTERRUPTED = "Interrupted.";

/** Statuses after which every other request would fail as well. 0 is no response. */
const HOPELESS: ReadonlySet<number> = new Set([0, 401, 403, 429, 503]);

/** Runs `work` on each item in order, a few at once. After its first failure no further item is begun. */
export async function runPool<Item>(items: readonly Item[], work: (item: Item) => Promise<void>) {
  // Shared, so a loop that fails ends the generator for all of them.
  const queue = (function* () {
    yield* items;
  })();
  const worker = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, items.length) }, worker));
}

/** Gathers the steps of an apply. It stops after a failure that would repeat itself. */
export function startRun({ signal, onStep }: ApplyOptions) {
  const outcomes: Record<Step["outcome"], Step[]> = { done: [], failed: [], skipped: [] };
  let endedBy: string | undefined;
  const add = (step: Step) => {
    outcomes[step.outcome].push(step);
    onStep?.(step);
  };
  const skip = (op: Step["op"], key: string, message: string) =>
    add({ op, key, outcome: "skipped", message });
  return {
    outcomes,
    skip,
    isComplete: () => outcomes.failed.length + outcomes.skipped.length === 0,
    /** Skips all further steps. */
    stop(message: string) {
      endedBy ??= message;
    },
    async step(op: Step["op"], key: string, work: () => Promise<unknown>): Promise<void> {
      if (signal?.aborted) endedBy ??= INTERRUPTED;
      if (endedBy !== undefined) return skip(op, key, endedBy);
      try {
        await work();
        add({ op, key, outcome: "done" });
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        const refusal = error instanceof WaymarkError ? error : undefined;
        add({ op, key, outcome: "failed", message, ...(refusal && { error: refusal }) });
        if (refusal !== undefined && HOPELESS.has(refusal.status)) endedBy ??= message;
      }
    },
  };
}

/** A sentence that ends with what failed and what was skipped. */
export function withRest(start: string, { failed, skipped }: Outcomes): string {
  const rest = Object.entries({ failed, skipped }).filter(([, steps]) => steps.length > 0);
  return `${[start, ...rest.map(([outcome, steps]) => `${steps.length} ${outcome}`)].join(", ")}.`;
}
