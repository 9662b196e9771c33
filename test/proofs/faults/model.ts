import { type Fate, fated, type OpenFate, TAKEN_DOWN } from "./bindings";

// The model: who owns which address, and what was true when.

/** One slug on the short host and on a domain of each workspace, and another slug on the short host. */
export const ADDRESSES = [
  { domainOf: undefined, letter: "x" },
  { domainOf: 0, letter: "x" },
  { domainOf: 1, letter: "x" },
  { domainOf: undefined, letter: "y" },
] as const;
export const SLUGS = [0, 1, 2, 3] as const;
export const WORKSPACES = [0, 1] as const;
export type Who = (typeof WORKSPACES)[number];
/** The place of each instance. */
export const PLACE_OF = [0, 1, 1] as const;
export const INSTANCES = [0, 1, 2] as const;

/** KV shows a write everywhere by then, with what a place has read before and what an instance remembers. */
const SPREAD_MS = 120_000;
/** The age at which an instance asks for its list again. */
const LIST_MS = 60_000;
const MEMORY_MS = 5_000;

/** The state of a slug from `from` until the next truth. */
interface Truth {
  from: number;
  fate: Fate | null;
}

/** The group of all links of a workspace. Its values count where a link has none of its own. */
export type GroupWindow = Pick<OpenFate, "ends_at" | "ended_url">;

const within = (own: Fate, { ends_at, ended_url }: GroupWindow): Fate =>
  own === TAKEN_DOWN
    ? own
    : { ...own, ends_at: own.ends_at ?? ends_at, ended_url: own.ended_url ?? ended_url };

export const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** What an instance has asked for behind its visits. */
interface Listed {
  askedAt: number;
  /** When it last got the list of doubts. */
  at: number;
  visitedAt: number;
}

const NEVER = Number.NEGATIVE_INFINITY;

export class Model {
  /** The workspace that an address belongs to; undefined if it was never claimed. */
  readonly owners: (Who | undefined)[] = SLUGS.map(() => undefined);
  /** The link that an address opens: null if freed, undefined if never claimed. */
  readonly opens: (string | null | undefined)[] = SLUGS.map(() => undefined);
  /** Whether the operator took down the link of an address, which may be deleted since. */
  readonly takenDown: boolean[] = SLUGS.map(() => false);
  /** The links' own values, and their current addresses. */
  readonly links = new Map<string, OpenFate>();
  readonly current = new Map<string, number>();
  readonly groups: GroupWindow[] = WORKSPACES.map(() => ({ ends_at: null, ended_url: null }));
  readonly suspended: boolean[] = WORKSPACES.map(() => false);
  readonly blocked = new Set<string>();
  readonly history: Truth[][] = SLUGS.map(() => [{ from: NEVER, fate: null }]);
  /** The instance with the last confirmed change of a slug, until a held operation continues. */
  readonly writers: (number | undefined)[] = SLUGS.map(() => undefined);
  private readonly lists = new Map<number, Listed>();
  /** When a call of D1 or KV last failed, was held or continued. */
  lastTroubleAt = NEVER;

  /** What was given to the link of an address, also while it is taken down. */
  givenTo(slug: number): OpenFate | null {
    const link = this.opens[slug];
    return link == null ? null : (this.links.get(link) ?? null);
  }

  /** Without what is the group's, the workspace's or the host's. */
  ownOf(slug: number): Fate | null {
    return this.takenDown[slug] === true ? TAKEN_DOWN : this.givenTo(slug);
  }

  isBlocked(url: string | null): boolean {
    return url !== null && this.blocked.has(new URL(url).hostname);
  }

  /** Whether a workspace may give the address to this link, or to a new one. */
  isFree(slug: number, who: Who, link?: string): boolean {
    const { owners, opens, takenDown } = this;
    const isOfOther = (owner: Who | undefined) => owner !== undefined && owner !== who;
    if (isOfOther(ADDRESSES[slug]?.domainOf) || isOfOther(owners[slug]) || takenDown[slug] === true)
      return false;
    return opens[slug] == null || opens[slug] === link;
  }

  /** Gives an address to a link, whose former ones go on opening it. */
  claim(slug: number, who: Who, link: string): void {
    this.owners[slug] = who;
    this.opens[slug] = link;
    this.current.set(link, slug);
  }

  fateOf(slug: number): Fate | null {
    const own = this.ownOf(slug);
    const who = this.owners[slug];
    if (own === null || who === undefined) return null;
    if (own === TAKEN_DOWN || this.suspended[who] === true || this.isBlocked(own.destination))
      return TAKEN_DOWN;
    const rule = this.isBlocked(own.rule) ? null : own.rule;
    return within({ ...own, rule }, this.groups[who] ?? { ends_at: null, ended_url: null });
  }

  slugsOf(link: string): number[] {
    return SLUGS.filter((slug) => this.opens[slug] === link);
  }

  /** Records a new truth. `writer` is the instance that confirmed it. */
  record(writer: number | undefined): void {
    for (const slug of SLUGS) {
      const fate = this.fateOf(slug);
      if (isSame(this.history[slug]?.at(-1)?.fate, fate)) continue;
      this.history[slug]?.push({ from: Date.now(), fate });
      this.writers[slug] = writer;
    }
  }

  /** An instance has an empty memory from now on. */
  restart(instance: number): void {
    this.lists.delete(instance);
    for (const slug of SLUGS) if (this.writers[slug] === instance) this.writers[slug] = undefined;
  }

  /** After a visit, behind whose answer the instance may have asked for its list. */
  visited(instance: number, at: number, hadFault: boolean): void {
    const { askedAt = NEVER, at: last = NEVER, visitedAt = NEVER } = this.lists.get(instance) ?? {};
    // What is remembered is answered without a look at anything else.
    const asks = at - askedAt >= LIST_MS && (askedAt === NEVER || at - visitedAt >= MEMORY_MS);
    const got = asks && !hadFault ? at : last;
    this.lists.set(instance, { askedAt: asks ? at : askedAt, at: got, visitedAt: at });
  }

  /**
   * Whether a visitor who asked an instance at a time may see this. An old state may be seen until KV shows the new one
   * everywhere. Where a fault could make KV late, whoever comes first to an instance may still see it, but nobody any more once
   * the instance has got the list of doubts after the change. A newly claimed slug works at once. Start and end are
   * checked at the visit, however old the value is.
   */
  maySee(slug: number, shown: string, instance: number, askedAt: number, hadFault: boolean): boolean {
    const truths = this.history[slug] ?? [];
    const listedAt = hadFault ? NEVER : (this.lists.get(instance)?.at ?? NEVER);
    return truths.some((truth, index) => {
      if (fated(truth.fate, askedAt) !== shown) return false;
      const until = truths[index + 1]?.from ?? Number.POSITIVE_INFINITY;
      if (until >= askedAt) return true;
      if (index === 0) return false;
      return until >= listedAt && (until >= askedAt - SPREAD_MS || this.lastTroubleAt >= until);
    });
  }
}
