import { extname } from "node:path";
import { BYTE_ORDER_MARK, csvLines, joinNames } from "../../lib/csv";
import { EXPORT_COLUMNS } from "../../lib/import-columns";
import { FORM_FIELD_NAMES } from "../../lib/link-fields";
import { gather } from "../api/pages";
import type { Link } from "../api/wire-types";
import { Refusal } from "../exit";
import { plural } from "../file/format-file";
import { writeFileAtomically } from "../file/urls";
import { checkText } from "./apply-command";
import { command } from "./command-type";
import { FILTER_OPTIONS, toFilter } from "./link-fields";
import { counted, jsonParts, print, say } from "./output";

/** What the interface does not show. */
const HIDDEN = ["old_slugs", ...FORM_FIELD_NAMES, "clicks_before"] as const;

type Column = Exclude<(typeof EXPORT_COLUMNS)[number], (typeof HIDDEN)[number]>;

/** The other columns of the service's own export. */
const COLUMNS = EXPORT_COLUMNS.filter((column): column is Column => !HIDDEN.some((one) => one === column));

async function* csvParts(links: AsyncIterable<Link>): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLines([COLUMNS]);
  for await (const link of links) {
    const cells: Record<Column, string | null> = {
      ...link,
      activity_group: link.activity_group?.slug ?? null,
      rules: link.rules.length === 0 ? null : JSON.stringify(link.rules),
      tags: joinNames(link.tags.map(({ name }) => name)),
    };
    yield csvLines([COLUMNS.map((column) => cells[column])]);
  }
}

/** All at once, since the text is checked. Archived links are not in it, because an apply would restore them. */
async function* fileParts(name: string, links: AsyncIterable<Link>): AsyncGenerator<string> {
  const { toFileText } = await import("../file/entries");
  const text = toFileText(name, await gather(links));
  await checkText("The file", text);
  yield text;
}

export const exportCommand = command({
  name: "export",
  summary: "Export links as CSV, as JSON with --json, or as a links file with --yaml",
  details: `The CSV file is the service's own format, without old slugs, notes and previews in chats, so that it can be imported:\n${COLUMNS.join(", ")}.\nWith --yaml it is a file for plan and apply, of active links. adopt --all then lets it own them.`,
  options: {
    ...FILTER_OPTIONS,
    yaml: { value: "NAME", description: "Export a links file of this name, as waymark.yaml" },
    status: { ...FILTER_OPTIONS.status, description: "Status, all by default" },
    sort: { ...FILTER_OPTIONS.sort, description: "Order, created_at by default" },
    output: {
      value: "FILE",
      short: "o",
      description: "The file to write, instead of standard output. NAME.json is JSON",
    },
  },
  examples: [
    "waymark export > links.csv",
    "waymark export --tag print -o print.json",
    "waymark export --yaml site -o waymark.yaml",
  ],
  async run(context, { output: path, yaml: name, ...given }) {
    if (name !== undefined && (context.json || given.status !== undefined)) {
      throw new Refusal("--yaml goes with neither --json nor --status: a links file has active links.");
    }
    const { client } = context.connect();
    const isJson = context.json || extname(path ?? "").toLowerCase() === ".json";
    const filter = await toFilter(client, given);
    const status = name === undefined ? "all" : "active";
    const found = client.links.list({ status, sort: "created_at", ...filter });
    let count = 0;
    const links = counted(context, found, "link", () => {
      count++;
    });
    const rows = isJson ? jsonParts(links) : csvParts(links);
    const parts: string[] = [];
    for await (const part of name === undefined ? rows : fileParts(name, links)) {
      if (path !== undefined) parts.push(part);
      else if (!print(context, part)) break;
    }
    if (path !== undefined) await writeFileAtomically(path, parts.join(""));
    say(context, `${plural(count, "link")} exported${path === undefined ? "" : ` to ${path}`}.`);
  },
});
