import { join } from "node:path";
import type { Link, Waymark } from "../api/wire-types";
import { EXIT, type ExitCode, Refusal } from "../exit";
import {
  type Applied,
  applyPlan,
  assertApplicable,
  DEFAULT_MAX_REMOVALS,
  INTERRUPTED,
  runPool,
  type Step,
} from "../file/apply-plan";
import {
  appliedLine,
  formatMarkdown,
  formatText,
  hasChanges,
  planToJson,
  printable,
  SIGNS,
} from "../file/format-file";
import type { LinkFile } from "../file/link-file";
import { makePlan, type Plan } from "../file/make-plan";
import { urlsJson, writeFileAtomically } from "../file/urls";
import { type Context, command, type Given, type Options } from "./command-type";
import { readText } from "./connection-settings";
import { errorFields, errorLines, hasColour, print, printJson, say } from "./output";
import { endRun, outcomesToJson, showRun } from "./write-many";

const DEFAULT_FILE = "waymark.yaml";
export const FILE_OPTION = {
  file: { value: "FILE", short: "f", description: `The file of links, ${DEFAULT_FILE} by default` },
} as const satisfies Options;

export async function checkText(path: string, text: string): Promise<LinkFile> {
  // Other commands start faster without the parser.
  const { parseFile } = await import("../file/parse-file");
  return parseFile(path, text);
}

export const readLinkFile = async (path = DEFAULT_FILE): Promise<LinkFile> => checkText(path, readText(path));

function printPlan(context: Context, plan: Plan): void {
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

const OPTIONS = {
  ...FILE_OPTION,
  plan: { value: "PLAN", description: "Apply a plan that plan --out saved, instead of a file" },
  "max-removals": {
    value: "N",
    isNumber: true,
    description: `Refuse to archive or delete more links, ${DEFAULT_MAX_REMOVALS} by default`,
  },
  urls: { value: "FILE", description: "When all is done, write key, slug, URL and ID of each link as JSON" },
  qr: { value: "DIR", description: "When all is done, write a QR file for each link" },
  "qr-format": {
    value: "FORMAT",
    choices: ["svg", "png"],
    description: "The format of QR files, svg by default",
  },
} as const satisfies Options;

type ApplyOptions = Given<typeof OPTIONS>;

async function planFor(
  { client, url }: ReturnType<Context["connect"]>,
  { plan: path, file: given }: ApplyOptions,
): Promise<Plan> {
  if (path === undefined) return makePlan(client, await readLinkFile(given));
  const { assertFresh, parseSavedPlan } = await import("../file/saved-plan");
  const saved = parseSavedPlan(readText(path), url);
  const plan = await makePlan(client, await checkText(saved.file_name, saved.file_text));
  await assertFresh(saved, plan);
  return plan;
}

const stepLine = ({ op, key }: Step): string =>
  op === "create_tag" ? `+ tag "${printable(key)}"` : `${SIGNS[op]} ${key}`;

/** Writes the files of a build, which only a complete apply has. */
async function writeFiles(
  client: Waymark,
  links: ReadonlyMap<string, Link>,
  { urls, qr, "qr-format": format = "svg" }: ApplyOptions,
): Promise<void> {
  if (qr !== undefined) {
    await runPool([...links], async ([key, { id }]) =>
      writeFileAtomically(join(qr, `${key}.${format}`), await client.links.qr(id, { format })),
    );
  }
  if (urls !== undefined) await writeFileAtomically(urls, urlsJson(links));
}

const toJson = ({ name }: Plan, { links, ...outcomes }: Applied, fileError: unknown) => ({
  name,
  complete: links !== undefined && fileError === undefined,
  ...outcomesToJson(outcomes),
  links: links === undefined ? null : JSON.parse(urlsJson(links)),
  ...(fileError !== undefined && { error: errorFields(fileError) }),
});

async function runApply(
  context: Context,
  client: Waymark,
  plan: Plan,
  given: ApplyOptions,
): Promise<ExitCode> {
  const total = plan.actions.length + plan.tags.length;
  const maxRemovals = given["max-removals"];
  const describe = (count: number) => `${count} of ${total} done`;
  const applied = await showRun(context, describe, stepLine, (options) =>
    applyPlan(client, plan, { maxRemovals, ...options }),
  );
  const { links } = applied;
  const fileError: unknown = links && (await writeFiles(client, links, given).catch((error) => error));
  if (fileError !== undefined) {
    say(context, `The links are as the file says, but: ${errorLines(fileError).join(" ")}`);
  }
  if (context.json) printJson(context, toJson(plan, applied, fileError));
  else print(context, `${appliedLine(applied)}\n`);
  if (fileError !== undefined) return applied.done.length > 0 ? EXIT.partly : EXIT.failed;
  const exitCode = endRun(context, applied);
  if (applied.skipped[0]?.message === INTERRUPTED) say(context, "Interrupted. Run it again to do the rest.");
  return exitCode;
}

export const applyCommand = command({
  name: "apply",
  summary: "Change the workspace to match the file",
  details:
    "Applying twice writes nothing the second time. A run that was interrupted is completed by the next one.\n" +
    "With a conflict nothing is written. Nothing is removed if anything failed.",
  options: OPTIONS,
  writes: true,
  examples: [
    "waymark apply",
    "waymark apply --urls urls.json --qr qr",
    "waymark plan --out plan.json && waymark apply --plan plan.json",
    "waymark apply --max-removals 50 --dry-run",
  ],
  async run(context, given) {
    if (given.plan !== undefined && given.file !== undefined) {
      throw new Refusal("Give either -f FILE or --plan PLAN.");
    }
    const connection = context.connect();
    const plan = await planFor(connection, given);
    if (context.dryRun || plan.conflicts.length > 0) printPlan(context, plan);
    for (const warning of context.dryRun ? [] : plan.warnings) say(context, `Warning: ${warning}`);
    assertApplicable(plan, given["max-removals"]);
    if (!context.dryRun) return runApply(context, connection.client, plan, given);
    say(context, "Dry run: nothing was written.");
    return undefined;
  },
});
