import { adoptLink, planAdoption } from "../file/adopt";
import type { Options } from "./args";
import { command } from "./command";
import { EXIT } from "./exit";
import { DEFAULT_FILE, FILE_OPTION, readLinkFile } from "./link-file";
import { print, printJson, say } from "./output";

const OPTIONS = {
  ...FILE_OPTION,
  as: { value: "KEY", description: "The key in the file, if the file does not give the slug" },
  "take-over": { description: "Replace an external ID of another owner" },
} as const satisfies Options;

export const adoptCommand = command({
  name: "adopt",
  summary: "Let the file own a link that exists",
  details:
    "The link gets the external ID of its key in the file. Its other fields stay until the next apply.\n" +
    "plan shows such links as conflicts.",
  operand: { name: "SLUG" },
  options: OPTIONS,
  writes: true,
  examples: ["waymark adopt summer", "waymark adopt summer --as home-hero --dry-run"],
  async run(context, args) {
    const { file } = await readLinkFile(args.text("file") ?? DEFAULT_FILE);
    const { client } = await context.connect();
    const key = args.text("as");
    const adoption = await planAdoption(client, file, args.operand.replace(/^\//, ""), {
      ...(key === undefined ? {} : { key }),
      takeOver: args.has("take-over"),
    });
    const { externalId, link, isNew } = adoption;
    const { slug, id } = link;
    if (!context.dryRun) await adoptLink(client, adoption);
    const before = link.external_id;
    const result = { key: adoption.key, slug, id, external_id: externalId, before, changed: isNew };
    if (context.json) printJson(context, context.dryRun ? { dry_run: true, ...result } : result);
    else print(context, `${externalId}\n`);
    const verb = context.dryRun ? "would own" : "now owns";
    say(context, isNew ? `The file ${verb} /${slug} as ${adoption.key}.` : `The file already owns /${slug}.`);
    return EXIT.done;
  },
});
