import { expect, it } from "vitest";
import { findNames } from "./source";

/** Words that meant something here alone, or several things, and what the field says. */
const REFUSED = {
  portion: "chunk",
  portions: "chunks",
  piece: "chunk",
  pieces: "chunks",
  walk: "scan, page or cursor",
  turn: "rate-limit slot or page",
  turns: "rate-limit slots or pages",
  gathering: "visit buffer",
  verdict: "check result",
  judge: "check or validate",
  judged: "checked",
  finding: "check result",
  life: "active window",
  lifetime: "visit totals",
  phase: "window state",
  former: "previous",
  stopped: "taken down",
  sentences: "error labels",
  folds: "optional fields",
  filled: "what it holds",
  sums: "totals, or the owner that they are of",
} as const satisfies Record<string, string>;

const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);

const isRefused = (word: string): word is keyof typeof REFUSED => word in REFUSED;

it("files, declarations and columns have the words of the field", () => {
  const found = findNames().flatMap(({ where, name }) =>
    wordsOf(name)
      .filter(isRefused)
      .map((word) => `${where}: ${name} (write ${REFUSED[word]})`),
  );
  expect([...new Set(found)]).toEqual([]);
});
