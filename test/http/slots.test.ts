import { expect, it } from "vitest";
import { newTrace } from "../../src/http/request-log";
import { takeSlot } from "../../src/http/slots";
import { otherInstance } from "../harness";

it("a request that its sender cancels is kept going until its slot is free", async () => {
  const kept: Promise<unknown>[] = [];
  const c = {
    env: otherInstance(),
    executionCtx: { waitUntil: (work: Promise<unknown>) => void kept.push(work) },
    var: { trace: newTrace("one") },
  };
  await takeSlot(c as never, { caller: "key:ONE", workspaceId: 1 });
  let isOver = false;
  const over = Promise.all(kept).then(() => {
    isOver = true;
  });
  await Promise.resolve();
  expect([kept.length, isOver]).toEqual([1, false]);
  c.var.trace.freeSlot?.();
  await over;
});
