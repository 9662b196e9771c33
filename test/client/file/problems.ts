import { parseFile } from "../../../src/client/file/parse";
import { DESTINATION, formatProblem } from "./setup";

/** The problems as a compiler writes them, for a file named f. */
export function problemsOf(text: string): string[] {
  const parsed = parseFile(text);
  return parsed.ok ? [] : parsed.problems.map((problem) => formatProblem("f", problem));
}

/** A file with these lines in its only link, whose key is in line 4. */
export const withLink = (...lines: string[]): string =>
  ["version: 1", "name: site", "links:", "  a:", ...lines.map((line) => `    ${line}`)].join("\n");

export const withField = (...lines: string[]): string => withLink(`destination: ${DESTINATION}`, ...lines);
