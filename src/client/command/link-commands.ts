import { take } from "../api/pages";
import { plural } from "../file/format-file";
import { assertNotOwned, findLink } from "../find-links";
import { type Command, command } from "./command-type";
import { createCommand, updateCommand } from "./link-edit-commands";
import {
  FILTER_OPTIONS,
  FORCE_OPTION,
  LINK,
  LINK_COLUMNS,
  LINK_DETAILS,
  LINKS,
  linkCells,
  TERMINAL_LINK_COLUMNS,
  toFilter,
} from "./link-fields";
import { printResult, printRows } from "./output";
import { writeMany } from "./write-many";

const list = command({
  name: "links list",
  summary: "List links. All filters must match",
  details:
    "On a terminal it prints a table, elsewhere tab-separated lines without a heading:\n" +
    `${LINK_COLUMNS.join(", ")}.`,
  options: { ...FILTER_OPTIONS, limit: { value: "N", isNumber: true, description: "Stop after N links" } },
  examples: [
    "waymark links list --tag poster --q /summer",
    "waymark links list --group summer-2026 --status all --json",
    "waymark links list --external-id-prefix site: | cut -f1,2",
  ],
  async run(context, { limit = Number.POSITIVE_INFINITY, ...filter }) {
    const { client } = context.connect();
    const links = take(client.links.list(await toFilter(client, filter)), limit);
    const columns = context.io.stdout.isTerminal ? TERMINAL_LINK_COLUMNS : LINK_COLUMNS;
    await printRows(context, "link", columns, links, linkCells);
  },
});

const get = command({
  name: "links get",
  summary: "Show a link",
  details: LINK_DETAILS,
  operand: LINK,
  examples: ["waymark links get summer", "waymark links get site:home-hero --json | jq -r .destination_url"],
  async run(context, _, name) {
    const link = await findLink(context.connect().client, name);
    printResult(context, link, linkCells(link));
  },
});

/** A command that does the same with each link. */
const eachLink = (verb: "archive" | "restore" | "delete", summary: string, example: string): Command =>
  command({
    name: `links ${verb}`,
    summary,
    details: LINK_DETAILS,
    operand: LINKS,
    options: FORCE_OPTION,
    writes: true,
    examples: [`waymark links ${verb} summer`, example],
    async run(context, { force }, ...names) {
      const { client } = context.connect();
      const find = async (name: string) => {
        const link = await findLink(client, name);
        if (!force) assertNotOwned(link);
        return link;
      };
      const op = verb === "restore" ? "update" : verb;
      if (!context.dryRun) {
        return writeMany(context, names, {
          op,
          noun: "link",
          verb: `${verb}d`,
          nameOf: (name) => name,
          write: async (name) => client.links[verb]((await find(name)).id),
        });
      }
      const links = await Promise.all(names.map(find));
      const lines = links.map(({ slug, destination_url: destination }) => `${slug}\t${destination}`);
      const sentence = `Would ${verb} ${plural(links.length, "link")}.`;
      return printResult(context, { [op]: links }, lines, sentence);
    },
  });

export const linkCommands: readonly Command[] = [
  list,
  get,
  createCommand,
  updateCommand,
  eachLink(
    "archive",
    "Archive links. Their short URLs keep working",
    "waymark links list --group spring-2026 | cut -f1 | xargs waymark links archive",
  ),
  eachLink("restore", "Restore archived links", "waymark links restore summer autumn"),
  eachLink(
    "delete",
    "Delete links. Their short URLs stop working at once",
    "waymark links delete summer --dry-run",
  ),
];
