import type { Waymark } from "../api/resources";
import { type Command, command } from "./command";
import { EXIT } from "./exit";
import { findLink, LINK, LINK_DETAILS, LINKS } from "./find-link";
import { LINK_COLUMNS, linkFields, TERMINAL_LINK_COLUMNS } from "./link-columns";
import { FILTER_OPTIONS, toFilter } from "./link-filter";
import { createCommand, updateCommand } from "./links-edit";
import { plural, print, printFields, printJson, printRows, say } from "./output";
import { writeMany } from "./write-many";

async function* take<Item>(items: AsyncIterable<Item>, limit: number): AsyncGenerator<Item> {
  let left = limit;
  if (left === 0) return;
  for await (const item of items) {
    yield item;
    if (--left === 0) return;
  }
}

const list = command({
  name: "links list",
  summary: "List links. All filters must match",
  details:
    "On a terminal it prints a table, elsewhere tab-separated lines without a heading:\n" +
    `${LINK_COLUMNS.map(({ name }) => name).join(", ")}.`,
  options: { ...FILTER_OPTIONS, limit: { value: "N", description: "Stop after N links" } },
  examples: [
    "waymark links list --tag poster --q /summer",
    "waymark links list --group summer-2026 --status all --json",
    "waymark links list --external-id-prefix site: | cut -f1,2",
  ],
  async run(context, args) {
    const limit = args.number("limit") ?? Number.POSITIVE_INFINITY;
    const { client } = await context.connect();
    const links = take(client.links.list(await toFilter(client, args)), limit);
    const columns = context.io.stdout.isTerminal ? TERMINAL_LINK_COLUMNS : LINK_COLUMNS;
    const count = await printRows(context, "link", columns, links);
    if (count === 0 && limit > 0) say(context, "No links.");
    return EXIT.done;
  },
});

const get = command({
  name: "links get",
  summary: "Show a link",
  details: LINK_DETAILS,
  operand: LINK,
  examples: ["waymark links get summer", "waymark links get site:home-hero --json | jq -r .destination_url"],
  async run(context, args) {
    const { client } = await context.connect();
    const link = await findLink(client, args.operand);
    if (context.json) printJson(context, link);
    else printFields(context, linkFields(link));
    return EXIT.done;
  },
});

interface Verb {
  verb: string;
  /** Completes `3 links archived`. */
  participle: string;
  summary: string;
  op: "archive" | "update" | "delete";
  example: string;
  write(links: Waymark["links"], id: string): Promise<unknown>;
}

/** A command that does the same with each link. */
const eachLink = ({ verb, participle, summary, op, example, write }: Verb): Command =>
  command({
    name: `links ${verb}`,
    summary,
    details: LINK_DETAILS,
    operand: LINKS,
    writes: true,
    examples: [`waymark links ${verb} summer`, example],
    async run(context, args) {
      const { client } = await context.connect();
      if (context.dryRun) {
        const links = await Promise.all(args.operands.map((name) => findLink(client, name)));
        if (context.json) printJson(context, { dry_run: true, [op]: links });
        else for (const link of links) print(context, `${link.slug}\t${link.destination_url}\n`);
        say(context, `Would ${verb} ${plural(links.length, "link")}.`);
        return EXIT.done;
      }
      return writeMany(context, args.operands, {
        op,
        noun: "link",
        verb: participle,
        nameOf: (name) => name,
        write: async (name) => write(client.links, (await findLink(client, name)).id),
      });
    },
  });

const archive = eachLink({
  verb: "archive",
  participle: "archived",
  summary: "Archive links. Their short URLs keep working",
  op: "archive",
  example: "waymark links list --group spring-2026 | cut -f1 | xargs waymark links archive",
  write: (links, id) => links.archive(id),
});

const restore = eachLink({
  verb: "restore",
  participle: "restored",
  summary: "Restore archived links",
  op: "update",
  example: "waymark links restore summer autumn",
  write: (links, id) => links.restore(id),
});

const remove = eachLink({
  verb: "delete",
  participle: "deleted",
  summary: "Delete links. Their short URLs stop working at once",
  op: "delete",
  example: "waymark links delete summer --dry-run",
  write: (links, id) => links.delete(id),
});

export const linkCommands: readonly Command[] = [
  list,
  get,
  createCommand,
  updateCommand,
  archive,
  restore,
  remove,
];
