import { expect, it } from "vitest";
import { shareMessages } from "../../../src/resources/events/deliver-events";

const receivers = (working: number, failing: number) => [
  ...Array.from({ length: working }, () => ({ failing_since: null })),
  ...Array.from({ length: failing }, () => ({ failing_since: 1 })),
];

it.each([
  [1, 0, 20, [10]],
  [3, 0, 20, [6, 6, 6]],
  [30, 0, 20, Array(20).fill(1)],
  [0, 30, 20, Array(5).fill(1)],
  [2, 30, 20, [7, 7, 1, 1, 1, 1, 1]],
  [1, 1, 5, [4, 1]],
  [0, 1, 1, [1]],
])("%i that work and %i that fail share %i messages", (working, failing, most, shares) => {
  const shared = shareMessages(receivers(working, failing), most);
  expect(shared.map(([, each]) => each)).toEqual(shares);
});
