import { expect, it } from "vitest";
import { findFetches } from "./source";

/** Their `fetch` is a method: of the Worker, and of an inner app. */
const OWN_METHODS = ["http/trace", "worker"];

it("whatever asks a server that is not ours does it by `outside.ts`", () => {
  expect(findFetches().toSorted(), "Use askOutside or askForJson.").toEqual(
    [...OWN_METHODS, "outside"].toSorted(),
  );
});
