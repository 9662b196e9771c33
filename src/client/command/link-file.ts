import type { Waymark } from "../api/resources";
import { EXIT, Refusal } from "../exit";
import type { LinkFile, Problem } from "../file/link-file";
import { makePlan, type Plan } from "../file/plan";
import type { Options } from "./command";
import { readText } from "./settings";

const DEFAULT_FILE = "waymark.yaml";
export const FILE_OPTION = {
  file: { value: "FILE", short: "f", description: `The file of links, ${DEFAULT_FILE} by default` },
} as const satisfies Options;

function refuse(path: string, problems: readonly Problem[]): never {
  const [first] = problems;
  const all = problems.map((problem) => ({ file: path, ...problem }));
  throw new Refusal(first?.message ?? "The file is not valid.", EXIT.usage, all);
}

/** Parses the text of a file. Throws a `Refusal` with all its problems. */
export async function checkText(path: string, text: string): Promise<LinkFile> {
  // Other commands start faster without the parser.
  const { parseFile } = await import("../file/parse");
  const parsed = parseFile(text);
  return parsed.ok ? parsed.file : refuse(path, parsed.problems);
}

/** Reads and checks a file, without the network. */
export async function readLinkFile(path = DEFAULT_FILE) {
  const text = readText(path);
  return { path, text, file: await checkText(path, text) };
}

/** Plans a file. Throws if it names what the workspace does not have. */
export async function planOf(client: Waymark, path: string, file: LinkFile): Promise<Plan> {
  const plan = await makePlan(client, file);
  return plan.problems.length > 0 ? refuse(path, plan.problems) : plan;
}
