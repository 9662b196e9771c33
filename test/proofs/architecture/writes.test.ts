import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { findWritingFunctions, findWritingReads } from "./source";

it("no statement writes and returns what it wrote, which its repeat would not: the row of a reservation has an id", () => {
  expect(findWritingReads()).toEqual(["http/idempotency/idempotency-repository"]);
});

/** Why a function that writes is in no row of `faults/verbs.ts`: those before the colon have tests of their own. */
const ELSEWHERE: Readonly<Record<string, RegExp>> = {
  "a verb's own write, which the verbs run":
    /^access\/room:|^resources\/(?:domains\/domain-service:writeDomain|engagement\/commit-assets:commitAssets|tags\/tag-service:writeTags|imports\/store-file:storeFile|links\/write\/|links\/(?:import-links:importChunk|begin-import:beginImport)|links\/import-updates:|links\/change-many:changeMeasuredLinks|links\/revert\/(?:revert-link:revertOnce|undo-changes:undoEntries))/,
  "faults/ambiguous-commits and http/": /^http\//,
  "faults/protocol": /^redirect\/slugs\/(?:behind|kv-writer):/,
  "operations/backup": /^operations\/backup\//,
  "analytics/flush and analytics/queue": /^analytics\/flush:/,
  "resources/events/deliver": /^resources\/events\/deliver-messages:/,
  "a command that waits, in operations/alerts": /^operations\/alerts\/alert-commands:/,
  "the operator's index of searches, in cli": /^resources\/links\/build-search-index:|^cli\//,
  "the demo": /^analytics\/write-visits:|:recordBroken$|:recordActiveLinksOn$/,
};

it("every function that writes is run twice at once, with lost answers and overtaken, or has tests of its own", () => {
  const text = readFileSync(fileURLToPath(new URL("../faults/verbs.ts", import.meta.url)), "utf8");
  const run = new Set(Array.from(text.matchAll(/"([\w/-]+:\w+)(?: \([^)]*\))?":/g), ([, name]) => name));
  const found = findWritingFunctions();
  const isElsewhere = (name: string) => Object.values(ELSEWHERE).some((pattern) => pattern.test(name));
  expect(found.filter((name) => !run.has(name) && !isElsewhere(name))).toEqual([]);
  expect([...run].filter((name) => name !== undefined && !found.includes(name))).toEqual([]);
  expect(
    Object.entries(ELSEWHERE).filter(([, pattern]) => !found.some((name) => pattern.test(name))),
  ).toEqual([]);
});
