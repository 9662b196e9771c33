import { vi } from "vitest";
import type { Env } from "../../../src/context";
import { SHORT_HOST, slugKey } from "../../../src/lib/slug-text";
import { addDomain } from "../../../src/resources/domains/domain-service";
import { makeWorkspace, SHORT, type TestWorkspace } from "../../harness";
import { ask, bindings, type Kind, type OperationName, runJob, type ServiceCall } from "./bindings";
import { ADDRESSES, type Model, PLACE_OF } from "./model";

// The system under test: bindings, instances of the Worker in two places, and pending requests.

export interface Team {
  ws: TestWorkspace;
  domain: string;
  group: string;
}

export async function makeTeam(): Promise<Team> {
  const ws = await makeWorkspace();
  const { host } = await addDomain(ws.ctx, `go.${ws.slug}.example`, true);
  return { ws, domain: host, group: (await ws.group()).id };
}

/** The platform ends work after an answer at this time, so nothing is held longer. */
const LONGEST_HOLD_MS = 30_000;

export class World {
  readonly name = crypto.randomUUID().slice(0, 13);
  private armed: { names: readonly OperationName[]; kind: Kind } | undefined;
  private releaseBy = Number.POSITIVE_INFINITY;
  private readonly open: Promise<unknown>[] = [];
  readonly bound = bindings((_, name) => {
    if (this.armed?.names.includes(name) !== true) return undefined;
    const { kind } = this.armed;
    this.armed = undefined;
    this.model.lastTroubleAt = Date.now();
    return kind;
  });
  readonly instances: Env[] = PLACE_OF.map((place) => this.bound.instance(place));

  constructor(
    private readonly teams: readonly [Team, Team],
    private readonly model: Model,
  ) {}

  restart(instance: number): void {
    this.instances[instance] = this.bound.instance(PLACE_OF[instance]);
    this.model.restart(instance);
  }

  slug(index: number): string {
    return `m-${this.name}-${ADDRESSES[index]?.letter}`;
  }

  /** The domain of an address, or the short host. */
  host(index: number): string {
    const domainOf = ADDRESSES[index]?.domainOf;
    return domainOf === undefined ? new URL(SHORT).hostname : this.teams[domainOf].domain;
  }

  key(index: number): string {
    return slugKey(
      ADDRESSES[index]?.domainOf === undefined ? SHORT_HOST : this.host(index),
      this.slug(index),
    );
  }

  arm(names: readonly OperationName[], kind: Kind): void {
    this.armed = { names, kind };
  }

  disarm(): void {
    this.armed = undefined;
  }

  async send(instance: number, request: Request | ServiceCall) {
    const before = this.bound.fired();
    const environment = this.instances[instance] ?? this.bound.instance();
    const { answer, settled } = await ask(this.bound, environment, request);
    const isHolding = this.bound.holding() > 0;
    if (isHolding) {
      this.releaseBy = Math.min(this.releaseBy, Date.now() + LONGEST_HOLD_MS);
      this.open.push(settled);
    }
    return { answer, settled, hadFault: this.bound.fired() > before || isHolding };
  }

  later(work: Promise<unknown>): void {
    this.open.push(work);
  }

  async release(): Promise<void> {
    if (this.open.length === 0) return;
    this.model.writers.fill(undefined);
    this.model.lastTroubleAt = Date.now();
    this.bound.release();
    this.releaseBy = Number.POSITIVE_INFINITY;
    await Promise.all(this.open.splice(0));
  }

  async elapse(ms: number): Promise<void> {
    const until = Date.now() + ms;
    if (until >= this.releaseBy) {
      vi.setSystemTime(this.releaseBy);
      await this.release();
    }
    vi.setSystemTime(until);
  }

  runJob(): Promise<void> {
    return runJob(this.instances[0] ?? this.bound.instance());
  }
}
