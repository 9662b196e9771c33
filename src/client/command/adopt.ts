import { toHost } from "../api/host";
import { adoptLink, planAdoption } from "../file/adopt";
import { command, type Options } from "./command";
import { FILE_OPTION, readLinkFile } from "./link-file";
import { printDryRun, printResult, say } from "./output";

const OPTIONS = {
  ...FILE_OPTION,
  as: { value: "KEY", description: "The key in the file, if the file does not give the slug" },
  domain: { value: "HOST", description: "The domain of the link, if several have the slug" },
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
  examples: [
    "waymark adopt summer",
    "waymark adopt summer --as home-hero --dry-run",
    "waymark adopt summer --domain go.acme.example",
  ],
  async run(context, { file: path, as: key, domain: host, "take-over": takeOver = false }, given) {
    const { file } = await readLinkFile(path);
    const { client } = context;
    const domain = host === undefined ? undefined : (toHost(host) ?? host);
    const wish = { slug: given.replace(/^\//, ""), domain, key, takeOver };
    const adoption = await planAdoption(client, file, wish);
    const { externalId, link, isNew } = adoption;
    const { slug, id, external_id: before } = link;
    const result = { key: adoption.key, slug, id, external_id: externalId, before, changed: isNew };
    const verb = context.dryRun ? "would own" : "now owns";
    const sentence = isNew
      ? `The file ${verb} /${slug} as ${adoption.key}.`
      : `The file already owns /${slug}.`;
    if (context.dryRun) return printDryRun(context, result, [externalId], sentence);
    await adoptLink(client, adoption);
    printResult(context, result, externalId);
    say(context, sentence);
  },
});
