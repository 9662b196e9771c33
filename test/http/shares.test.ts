import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type ShareKind, takeShare } from "../../src/http/fair-shares";
import { newTrace } from "../../src/http/request-log";
import { otherInstance } from "../harness";

let env: ReturnType<typeof otherInstance>;

beforeEach(() => {
  env = otherInstance();
  vi.useFakeTimers({ toFake: ["Date", "setTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A request of a workspace that takes a share. */
function request(
  kind: ShareKind,
  workspaceId: number,
  size?: number,
  milliseconds = 0,
  trace = newTrace("one"),
) {
  const kept: Promise<unknown>[] = [];
  trace.d1.duration = milliseconds;
  const c = {
    env,
    executionCtx: { waitUntil: (work: Promise<unknown>) => void kept.push(work) },
    var: { trace },
  };
  const taking = takeShare(c as never, kind, { caller: "key:ONE", workspaceId }, size);
  const free = () => {
    for (const one of [...trace.shares.answered, ...trace.shares.sent]) one();
  };
  return { taking, free, kept, trace };
}

/** Whether a share is taken, waited for, or refused in a time. */
async function outcomeOf({ taking }: ReturnType<typeof request>, seconds: number) {
  let outcome = "waits";
  taking.then(
    () => {
      outcome = "taken";
    },
    ({ status, headers }) => {
      outcome = `${status} ${headers["Retry-After"]}`;
    },
  );
  await vi.advanceTimersByTimeAsync(seconds * 1_000);
  return outcome;
}

it.each<[ShareKind, number, number, number]>([
  ["read", 8, 16, 1],
  ["file", 2, 3, 1],
  ["import", 1, 2, 1],
  ["long", 2, 4, 3_000_000],
])("an instance has few shares for each %s: %i a workspace, %i in all", async (kind, own, all, size) => {
  const shares = Array.from({ length: own }, () => request(kind, 1, size));
  await Promise.all(shares.map(({ taking }) => taking));
  expect(await outcomeOf(request(kind, 1, size), 11)).toBe("429 60");
  const next = request(kind, 1, size);
  shares[0]?.free();
  expect(await outcomeOf(next, 1)).toBe("taken");
  const others = Array.from({ length: all - own }, () => request(kind, 2, size));
  await Promise.all(others.map(({ taking }) => taking));
  expect(await outcomeOf(request(kind, 3, size), 11)).toBe("429 60");
});

it("what is larger than all shares of its workspace waits until it is alone", async () => {
  const small = request("long", 1, 1_000);
  await small.taking;
  const large = request("long", 1, 20_000_000);
  expect(await outcomeOf(large, 1)).toBe("waits");
  small.free();
  expect(await outcomeOf(large, 1)).toBe("taken");
  expect(await outcomeOf(request("long", 1, 1_000), 11)).toBe("429 60");
});

it("a large one gets its turn while small ones of its workspace come without end", async () => {
  const outcomes: Promise<string>[] = [];
  const send = (size: number) => {
    const { taking, free } = request("long", 1, size);
    outcomes.push(
      taking.then(
        () => {
          setTimeout(free, 400);
          return "taken";
        },
        () => "429",
      ),
    );
  };
  for (let time = 0; time < 200; time++) {
    if (time === 50) send(4_000_000);
    send(1_000_000);
    await vi.advanceTimersByTimeAsync(60);
  }
  await vi.advanceTimersByTimeAsync(11_000);
  const answers = await Promise.all(outcomes);
  expect(answers[50]).toBe("taken");
  expect(answers.filter((one) => one === "429").length).toBeLessThan(20);
});

it("one that lacks the instance's share goes before newcomers of others, one that lacks its workspace's does not", async () => {
  const taken = [1, 1, 2, 2].map((workspaceId) => request("long", workspaceId, 2_500_000));
  await Promise.all(taken.map(({ taking }) => taking));
  const ofOne = request("long", 1, 4_000_000);
  expect(await outcomeOf(ofOne, 1)).toBe("waits");
  expect(await outcomeOf(request("long", 3, 1_000_000), 0)).toBe("taken");
  const ofThree = request("long", 3, 5_000_000);
  const ofFour = request("long", 4, 3_000_000);
  expect(await outcomeOf(ofThree, 0)).toBe("waits");
  expect(await outcomeOf(ofFour, 0)).toBe("waits");
  expect(await outcomeOf(request("long", 5, 1_000_000), 0)).toBe("waits");
  taken[2]?.free();
  expect(await outcomeOf(ofFour, 0)).toBe("waits");
  taken[3]?.free();
  expect(await outcomeOf(ofThree, 0)).toBe("taken");
  ofOne.taking.catch(() => undefined);
  ofFour.taking.catch(() => undefined);
});

it("one that was cancelled while it waited holds others up for some seconds at most", async () => {
  const taken = [request("file", 1), request("file", 1)];
  await Promise.all(taken.map(({ taking }) => taking));
  const waiting = request("file", 1);
  // The timers of a request that is cancelled stop.
  vi.clearAllTimers();
  for (const { free } of taken) free();
  waiting.taking.catch(() => undefined);
  vi.setSystemTime(Date.now() + 10_000);
  expect(await outcomeOf(request("file", 1), 0)).toBe("taken");
});

it("nobody is woken after its wait, and a release wakes no more than find room", async () => {
  const taken = [request("import", 1), request("import", 2)];
  await Promise.all(taken.map(({ taking }) => taking));
  expect(await outcomeOf(request("import", 3), 11)).toBe("429 60");
  const waiting = Array.from({ length: 20 }, (_, index) => request("import", index + 3));
  for (const { taking } of waiting) taking.catch(() => undefined);
  await vi.advanceTimersByTimeAsync(100);
  const withResolvers = vi.spyOn(Promise, "withResolvers");
  taken[0]?.free();
  await vi.advanceTimersByTimeAsync(100);
  expect(await outcomeOf(waiting[0] as (typeof waiting)[0], 0)).toBe("taken");
  // The one that takes the share keeps its request going.
  expect(withResolvers).toHaveBeenCalledTimes(1);
  withResolvers.mockRestore();
});

it("after a dear list, a workspace has three at once", async () => {
  const dear = request("read", 1, 1, 150);
  await dear.taking;
  dear.free();
  const three = [1, 2, 3].map(() => request("read", 1));
  await Promise.all(three.map(({ taking }) => taking));
  expect(await outcomeOf(request("read", 1), 11)).toBe("429 60");
  for (const { free } of three) free();
  const eight = Array.from({ length: 8 }, () => request("read", 1));
  for (const one of eight) expect(await outcomeOf(one, 1)).toBe("taken");
});

it("a request that waits for a file keeps no page from others", async () => {
  const files = [request("file", 1), request("file", 1)];
  await Promise.all(files.map(({ taking }) => taking));
  const pages = Array.from({ length: 8 }, () => request("read", 1));
  await Promise.all(pages.map(({ taking }) => taking));
  const waiting = pages.map(({ trace }) => request("file", 1, 1, 0, trace));
  expect(await outcomeOf(request("read", 1), 1)).toBe("taken");
  files[0]?.free();
  expect(await outcomeOf(waiting[0] as (typeof waiting)[0], 1)).toBe("taken");
  for (const { taking } of waiting) taking.catch(() => undefined);
});

it("a request that its sender cancels is kept going until its share is free", async () => {
  const { taking, free, kept } = request("read", 1);
  await taking;
  let isOver = false;
  const over = Promise.all(kept).then(() => {
    isOver = true;
  });
  await Promise.resolve();
  expect([kept.length, isOver]).toEqual([1, false]);
  free();
  await over;
});

it("a share is kept as long as its request goes on, and is lost a minute after it has stopped", async () => {
  // The timers of a request that is cancelled stop.
  await request("import", 1).taking;
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "setInterval", "clearInterval"] });
  const other = request("import", 2);
  await other.taking;
  await vi.advanceTimersByTimeAsync(61_000);
  await request("import", 3).taking;
  await vi.advanceTimersByTimeAsync(120_000);
  expect(await outcomeOf(request("import", 2), 11)).toBe("429 60");
  const next = request("import", 2);
  other.free();
  expect(await outcomeOf(next, 1)).toBe("taken");
});
