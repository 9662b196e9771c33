import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type ShareKind, takeShare } from "../../src/http/shares";
import { otherInstance } from "../harness";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date", "setTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Whether a share is taken at once, waited for, or refused after ten seconds. */
async function outcomeOf(taking: ReturnType<typeof takeShare>, seconds: number) {
  let outcome: string = "waits";
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

it.each<[ShareKind, number, number]>([
  ["file", 2, 3],
  ["import", 1, 2],
])("an instance has few shares for each %s: %i a workspace, %i in all", async (kind, own, all) => {
  const { KV } = otherInstance();
  const shares = [];
  for (let taken = 0; taken < own; taken++) shares.push(await takeShare(KV, kind, 1));
  expect(await outcomeOf(takeShare(KV, kind, 1), 9)).toBe("waits");
  const freed = takeShare(KV, kind, 1);
  shares[0]?.();
  expect(await outcomeOf(freed, 1)).not.toBe("429 60");
  for (let taken = own; taken < all; taken++) await takeShare(KV, kind, 2);
  expect(await outcomeOf(takeShare(KV, kind, 3), 11)).toBe("429 60");
});

it("a share is kept as long as its request goes on, and is lost a minute after it has stopped", async () => {
  const { KV } = otherInstance();
  // The timers of a request that is cancelled stop.
  await takeShare(KV, "import", 1);
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "setInterval", "clearInterval"] });
  const free = await takeShare(KV, "import", 2);
  await vi.advanceTimersByTimeAsync(61_000);
  await takeShare(KV, "import", 3);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(await outcomeOf(takeShare(KV, "import", 2), 11)).toBe("429 60");
  const next = takeShare(KV, "import", 2);
  free();
  expect(await outcomeOf(next, 1)).toBe("taken");
});
