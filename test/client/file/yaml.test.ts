import { describe, expect, it } from "vitest";
import { problemsOf, withField } from "./problems";
import { DESTINATION } from "./setup";

describe("a text that is no YAML", () => {
  it.each([
    ["a bracket that stays open", "version: 1\nname: [", 2],
    ["a tab as indentation", "version: 1\nlinks:\n\ta: 1", 3],
    ["an unknown alias", "version: 1\nname: *none", 2],
    ["an unknown tag", "version: 1\nname: !env NAME", 2],
    ["two documents", "version: 1\n---\nversion: 1", 2],
  ])("is refused with its line: %s", (_, text, line) => {
    expect(problemsOf(text).map((problem) => problem.split(":")[1])).toContain(String(line));
  });

  it.each([
    ["more than 1 MB", "#".repeat(1_000_001), "f:1: The file must not be larger than 1000000 bytes."],
    [
      "deep nesting",
      `a: ${"[".repeat(100_000)}${"]".repeat(100_000)}`,
      "f:1: The file is nested too deeply.",
    ],
    [
      "10,001 links",
      `version: 1\nname: s\nlinks:\n  { ${Array.from({ length: 10_001 }, (_, n) => `k${n}: { destination: "${DESTINATION}" }`)} }`,
      "f:3: links must not have more than 10000 links.",
    ],
    [
      "a list of 1,001 items",
      withField(`tags: [${Array(1_001).fill("Print")}]`),
      "f:6: A list must not have more than 1000 items.",
    ],
  ])("is bounded: %s", (_, text, problem) => {
    expect(problemsOf(text)).toContain(problem);
  });

  it("does not expand a billion laughs", () => {
    const laughs = Array.from({ length: 30 }, (_, level) => {
      const item = level === 0 ? "lol" : `*l${level - 1}`;
      return `  - &l${level} [${Array(10).fill(item)}]`;
    });
    const text = `version: 1\nname: s\nx:\n${laughs.join("\n")}\nlinks:\n  a: { destination: ${DESTINATION}, tags: *l29 }`;
    expect(problemsOf(text)).toEqual([
      expect.stringMatching(/^f:3: "x" is not known/),
      ...Array(10).fill("f:33: a: tags must be a text."),
    ]);
  });

  it("ends after a thousand problems", () => {
    const links = Array.from({ length: 400 }, (_, n) => `  k${n}: { a: 1, b: 2, c: 3 }`);
    const problems = problemsOf(`version: 1\nname: s\nlinks:\n${links.join("\n")}`);
    expect(problems).toHaveLength(1_001);
    expect(problems.at(-1)).toMatch(/: There are more problems, which are not shown\.$/);
  });

  it("resolves an alias that contains itself", () => {
    expect(problemsOf(`version: 1\nname: s\nlinks: &l\n  a: *l`)).not.toEqual([]);
  });
});
