import { expect, it } from "vitest";
import { findWritingReads } from "./source";

it("no statement writes and returns what it wrote, which its repeat would not: the row of a reservation has an id", () => {
  expect(findWritingReads()).toEqual(["http/idempotency/repository"]);
});
