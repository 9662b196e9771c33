import { Refusal } from "../../../src/client/exit";
import { parseFile } from "../../../src/client/file/parse-file";
import { DESTINATION } from "./setup";

/** The problems that a file is refused for, as a compiler writes them. */
export function refusedFor(work: () => unknown): string[] {
  try {
    work();
    return [];
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return error.problems.map(({ file, line, message }) => `${file}:${line}: ${message}`);
  }
}

/** The problems of a file named f. */
export const problemsOf = (text: string): string[] => refusedFor(() => parseFile("f", text));

/** A file whose only link has these lines, from the sixth on. */
export const withField = (...lines: string[]): string =>
  [
    "version: 1",
    "name: site",
    "links:",
    "  a:",
    ...[`destination: ${DESTINATION}`, ...lines].map((line) => `    ${line}`),
  ].join("\n");
