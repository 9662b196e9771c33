import { extname } from "node:path";
import { BYTE_ORDER_MARK, csvLines, joinNames } from "../../lib/csv";
import { EXPORT_COLUMNS } from "../../lib/import-columns";
import type { Link } from "../api/resources";
import { writeFileAtomically } from "../file/urls";
import type { Options } from "./args";
import { command } from "./command";
import { EXIT } from "./exit";
import { FILTER_OPTIONS, toFilter } from "./link-filter";
import { plural, say, startProgress } from "./output";

type Column = Exclude<(typeof EXPORT_COLUMNS)[number], "old_slugs">;

/** The columns of the service's own export, without old slugs, which the interface does not show. */
const COLUMNS = EXPORT_COLUMNS.filter((column): column is Column => column !== "old_slugs");

const HEADING = BYTE_ORDER_MARK + csvLines([COLUMNS]);

const toCsvLine = (link: Link): string => {
  const cells: Record<Column, string | null> = {
    ...link,
    activity_group: link.activity_group?.slug ?? null,
    tags: joinNames(link.tags.map(({ name }) => name)),
  };
  return csvLines([COLUMNS.map((column) => cells[column])]);
};

/** The parts of the file as the links come. */
async function* textOf(links: AsyncIterable<Link>, isJson: boolean): AsyncGenerator<string> {
  if (!isJson) yield HEADING;
  let count = 0;
  for await (const link of links) {
    const json = () => `${count === 0 ? "[\n" : ",\n"}${JSON.stringify(link)}`;
    yield isJson ? json() : toCsvLine(link);
    count++;
  }
  if (isJson) yield count === 0 ? "[]\n" : "\n]\n";
}

async function* counting(links: AsyncIterable<Link>, onLink: () => void): AsyncGenerator<Link> {
  for await (const link of links) {
    onLink();
    yield link;
  }
}

const { status: _, ...FILTERS } = FILTER_OPTIONS;
const OPTIONS = {
  ...FILTERS,
  status: { ...FILTER_OPTIONS.status, description: "Status, all by default" },
  sort: { ...FILTER_OPTIONS.sort, description: "Order, created_at by default" },
  output: {
    value: "FILE",
    short: "o",
    description: "The file to write, instead of standard output. NAME.json is JSON",
  },
} as const satisfies Options;

export const exportCommand = command({
  name: "export",
  summary: "Export links as CSV, or as JSON with --json",
  details: `The CSV file is the service's own format, without old slugs, so that it can be imported:\n${COLUMNS.join(", ")}.`,
  options: OPTIONS,
  examples: ["waymark export > links.csv", "waymark export --tag print -o print.json"],
  async run(context, args) {
    const path = args.text("output");
    const isJson = context.json || extname(path ?? "").toLowerCase() === ".json";
    const { client } = await context.connect();
    const filter = await toFilter(client, args);
    const progress = startProgress(context, (count) => `${plural(count, "link")} read`);
    let count = 0;
    const links = counting(client.links.list({ status: "all", sort: "created_at", ...filter }), () => {
      count++;
      progress.step();
    });
    const parts: string[] = [];
    for await (const part of textOf(links, isJson)) {
      if (path !== undefined) parts.push(part);
      else if (!context.io.stdout.write(part)) break;
    }
    progress.clear();
    if (path !== undefined) await writeFileAtomically(path, parts.join(""));
    say(context, `${plural(count, "link")} exported${path === undefined ? "" : ` to ${path}`}.`);
    return EXIT.done;
  },
});
