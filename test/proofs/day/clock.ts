// The service's own clock: time passes from event to event.

interface Event {
  at: number;
  order: number;
  run: () => void;
}

const realTimeout = globalThis.setTimeout;
const RealDate = globalThis.Date;

/** Lets everything go on that waits for nothing but promises. Real turns of the event loop take far longer. */
const MICROTASKS = 64;
const EVENTS_PER_TURN = 500;

const isBefore = (one: Event, other: Event): boolean =>
  one.at === other.at ? one.order < other.order : one.at < other.at;

/** Replaces `Date` and timers. */
export function createClock(start: number) {
  let now = start;
  let order = 0;
  let busy = 0;
  const heap: Event[] = [];
  /** The events that are still to run. */
  const waiting = new Set<number>();

  function push(event: Event): void {
    let index = heap.push(event) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = heap[parent] as Event;
      if (!isBefore(event, above)) break;
      heap[index] = above;
      index = parent;
    }
    heap[index] = event;
  }

  function pop(): Event | undefined {
    const [first] = heap;
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= heap.length) break;
      const right = heap[child + 1];
      if (right !== undefined && isBefore(right, heap[child] as Event)) child++;
      if (!isBefore(heap[child] as Event, last)) break;
      heap[index] = heap[child] as Event;
      index = child;
    }
    heap[index] = last;
    return first;
  }

  /** Runs something at a time. Returns its number. */
  function at(time: number, run: () => void): number {
    push({ at: Math.max(Math.round(time), now), order: ++order, run });
    waiting.add(order);
    return order;
  }

  const turn = () => new Promise<void>((resolve) => void realTimeout(resolve, 0));

  async function settle(events: number): Promise<void> {
    if (busy > 0 || events % EVENTS_PER_TURN === 0) await turn();
    // Goes on while work starts work.
    for (let before = -1; before !== order; ) {
      before = order;
      for (let count = 0; count < MICROTASKS; count++) await undefined;
    }
  }

  class ClockDate extends RealDate {
    constructor(...given: unknown[]) {
      // @ts-expect-error: its overloads take no list
      super(...(given.length === 0 ? [now] : given));
    }
    static override now = () => now;
  }

  return {
    now: () => now,
    at,
    /** Resolves after a time of this clock. */
    sleep: (ms: number) => new Promise<void>((resolve) => void at(now + ms, resolve)),
    /** Takes real turns of the event loop until this work has ended, for what waits for more than promises. */
    async whole<T>(work: Promise<T>): Promise<T> {
      busy++;
      try {
        return await work;
      } finally {
        busy--;
      }
    },
    async runUntil(end: number): Promise<void> {
      for (let events = 1; heap[0] !== undefined && heap[0].at <= end; events++) {
        const event = pop() as Event;
        if (!waiting.delete(event.order)) continue;
        now = event.at;
        event.run();
        await settle(events);
      }
      now = end;
    },
    install(): void {
      Object.assign(globalThis, {
        Date: ClockDate,
        setTimeout: (run: () => void, ms = 0) => at(now + ms, run),
        clearTimeout: (timer: number) => void waiting.delete(timer),
      });
    },
  };
}

export type Clock = ReturnType<typeof createClock>;
