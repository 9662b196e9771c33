import { EXIT, Refusal } from "../exit";
import { formatMarkdown, formatText, hasChanges, planToJson } from "../file/format";
import type { LinkFile } from "../file/link-file";
import { makePlan, type Plan } from "../file/plan";
import { writeFileAtomically } from "../file/urls";
import { type Context, command, type Options } from "./command";
import { hasColour, print, printJson, say } from "./output";
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
export const readLinkFile = async (path = DEFAULT_FILE): Promise<LinkFile> => checkText(path, readText(path));

export function printPlan(context: Context, plan: Plan): void {
  if (context.json) printJson(context, planToJson(plan));
  else print(context, formatText(plan, { colour: hasColour(context) }));
}

export const planCommand = command({
  name: "plan",
  summary: "Show what apply would change. A read-only key is enough",
  details:
    "+ is created, ~ is changed, - is archived or deleted, ! is a conflict: a slug that leads to another link.\n" +
    "With a conflict the exit code is 1. The file is checked before anything is sent.",
  options: {
    ...FILE_OPTION,
    out: { value: "PLAN", description: "Save the plan, for apply --plan PLAN" },
    "detailed-exitcode": { description: "Exit with 2 if there are changes" },
    markdown: { description: "Print Markdown, for a job summary" },
  },
  examples: [
    "waymark plan",
    "waymark plan -f links.yaml --out plan.json",
    "waymark plan --detailed-exitcode --markdown",
  ],
  async run(context, { file: given, out, markdown, "detailed-exitcode": isDetailed }) {
    if (context.json && markdown) throw new Refusal("Give either --json or --markdown.");
    const file = await readLinkFile(given);
    const { client, url } = context.connect();
    const plan = await makePlan(client, file);
    if (markdown) print(context, formatMarkdown(plan));
    else printPlan(context, plan);
    if (plan.conflicts.length > 0) {
      say(context, "Nothing can be applied before the conflicts are solved.");
      return EXIT.failed;
    }
    if (out !== undefined) {
      const { savePlan } = await import("../file/saved-plan");
      await writeFileAtomically(out, await savePlan(plan, file, url));
      say(context, `Saved. To apply exactly this plan: waymark apply --plan ${out}`);
    }
    return isDetailed && hasChanges(plan) ? EXIT.changes : EXIT.done;
  },
});
