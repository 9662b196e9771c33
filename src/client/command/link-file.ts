import type { LinkFile } from "../file/link-file";
import type { Options } from "./command";
import { readText } from "./settings";

const DEFAULT_FILE = "waymark.yaml";
export const FILE_OPTION = {
  file: { value: "FILE", short: "f", description: `The file of links, ${DEFAULT_FILE} by default` },
} as const satisfies Options;

/** Parses and checks the text of a file, without the network. */
export async function checkText(path: string, text: string): Promise<LinkFile> {
  // Other commands start faster without the parser.
  const { parseFile } = await import("../file/parse");
  return parseFile(path, text);
}

/** Reads and checks a file. */
export async function readLinkFile(path = DEFAULT_FILE) {
  const text = readText(path);
  return { text, file: await checkText(path, text) };
}
