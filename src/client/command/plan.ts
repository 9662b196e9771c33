import { formatMarkdown, formatText, planToJson } from "../file/format";
import { makePlan } from "../file/plan";
import { savePlan, writeSavedPlan } from "../file/saved-plan";
import { hasChanges } from "../file/summary";
import { command, type Options } from "./command";
import { EXIT } from "./exit";
import { assertNoProblems, FILE_OPTION, readLinkFile } from "./link-file";
import { hasColour, print, printJson, say } from "./output";
import { UsageError } from "./usage-error";

const OPTIONS = {
  ...FILE_OPTION,
  out: { value: "PLAN", description: "Save the plan, for apply --plan PLAN" },
  "detailed-exitcode": { description: "Exit with 2 if there are changes" },
  markdown: { description: "Print Markdown, for a job summary" },
} as const satisfies Options;

export const planCommand = command({
  name: "plan",
  summary: "Show what apply would change. A read-only key is enough",
  details:
    "+ is created, ~ is changed, - is archived or deleted, ! is a conflict: a slug that leads to another link.\n" +
    "With a conflict the exit code is 1. The file is checked before anything is sent.",
  options: OPTIONS,
  examples: [
    "waymark plan",
    "waymark plan -f links.yaml --out plan.json",
    "waymark plan --detailed-exitcode --markdown",
  ],
  async run(context, { file: given, out, markdown, "detailed-exitcode": isDetailed }) {
    if (context.json && markdown) throw new UsageError("Give either --json or --markdown.");
    const { path, text, file } = await readLinkFile(given);
    const plan = await makePlan(context.client, file);
    assertNoProblems(path, plan);
    if (context.json) printJson(context, planToJson(plan));
    else if (markdown) print(context, formatMarkdown(plan));
    else print(context, formatText(plan, { colour: hasColour(context) }));
    if (plan.conflicts.length > 0) {
      say(context, "Nothing can be applied before the conflicts are solved.");
      return EXIT.failed;
    }
    if (out !== undefined) {
      const saved = await savePlan(plan, { service: context.url, fileName: path, text, now: new Date() });
      await writeSavedPlan(out, saved);
      say(context, `Saved. To apply exactly this plan: waymark apply --plan ${out}`);
    }
    return isDetailed && hasChanges(plan) ? EXIT.changes : EXIT.done;
  },
});
