import { expect, it } from "vitest";
import { findFetches } from "./source";

/** Their `fetch` is a method: of the Worker, and of its apps. */
const OWN_METHODS = ["worker"];

it("whatever asks a server that is not ours does it by `resources/destinations/outside.ts`", () => {
  expect(findFetches().toSorted(), "Use askOutside or askForJson.").toEqual(
    [...OWN_METHODS, "resources/destinations/outside"].toSorted(),
  );
});
