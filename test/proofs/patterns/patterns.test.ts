import { isSafe } from "redos-detector";
import { expect, it } from "vitest";
import { ROOT } from "../../cli/terminal";
import { patternsOf, toRegExp } from "./source";

/** Patterns that may backtrack without bound, since no stranger's or member's text reaches them. */
const TRUSTED_TEXT: Readonly<Record<string, string>> = {
  "src/config.ts /\\/+$/": "the operator's variables",
  "src/http/operation.ts /\\/{(.+?)}/g": "the paths of the routes, when the module is loaded",
  "src/cli/document-pages.ts /\\{\\{(\\w+)\\}\\}/g": "the frame of the documents' pages, a file of ours",
  "src/cli/headings.ts /\\[([^[\\]]*)\\]\\([^()[\\]]*\\)/g": "our own documents",
  'src/cli/main.ts /"enum":\\[([^\\]]+)\\]/': "the schema of a command's option",
  "src/cli/release.ts /waymark-\\d+\\.\\d+\\.\\d+\\.tgz/g": "our own documents",
  "src/log.ts /([\\w.-]+:\\d+:\\d+)\\)?$/gm": "the frames of a stack, without its message",
};

const { literals, constructed } = patternsOf(ROOT);
const nameOf = ({ file, text }: { file: string; text: string }) => `${file} ${text}`;

it("the patterns of the source are found", () => {
  expect(literals.length).toBeGreaterThan(80);
  expect(literals.map(({ text }) => text)).toContain("/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/");
});

it("no pattern is built from a string, which could not be analysed", () => {
  expect(constructed.map(nameOf)).toEqual([]);
});

it("no pattern for a stranger's or a member's text takes more than linear time", () => {
  const vulnerable = literals.filter(({ text }) => !isSafe(toRegExp(text)).safe).map(nameOf);
  expect(vulnerable.toSorted()).toEqual(Object.keys(TRUSTED_TEXT).toSorted());
});

it("no lookaround scans without a limit, which the analysis ignores", () => {
  expect(literals.filter(({ text }) => /\(\?<?[=!][^)]*(?:[*+]|\{\d+,\})/.test(text)).map(nameOf)).toEqual(
    [],
  );
});

it.each([/\s*[\r\n]+\s*/g, /^(a+)+$/, /x*y/])("the analysis refuses %s", (pattern) => {
  expect(isSafe(pattern).safe).toBe(false);
});
