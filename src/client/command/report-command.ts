import { Argument } from "commander";
import { Refusal } from "../exit";
import { plural } from "../file/format-file";
import { command } from "./command-type";
import { reportAt } from "./connection-settings";
import { printJson, printRows, say, sayWaits } from "./output";

/** The tables of a report, each with its columns. */
const COLUMNS = {
  days: ["day", "clicks", "scans"],
  links: ["short_url", "title", "clicks", "scans"],
  posters: ["name", "place", "scans"],
  sources: ["name", "visits"],
  countries: ["name", "visits"],
  devices: ["name", "visits"],
  channels: ["name", "visits"],
} as const;

const PARTS = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[];

export const reportCommand = command({
  name: "report",
  summary: "Show a table of a shared report, or the whole report with --json",
  details: `URL is that of the report's page, or of its .json or .csv. It is all that the command takes: it needs no key and no
WAYMARK_URL, and never sends a key. On a terminal it prints a table, elsewhere tab-separated lines.`,
  operand: new Argument("<URL>"),
  options: { part: { value: "TABLE", choices: PARTS, description: "The table, days by default" } },
  examples: [
    "waymark report https://go.example.com/reports/3kq9… --part posters",
    "waymark report https://go.example.com/reports/3kq9….json --json | jq .totals",
  ],
  async run(context, { part = "days" }, address) {
    const data = await reportAt(context.io, sayWaits(context), address);
    if (context.json) {
      printJson(context, data);
      return;
    }
    const { title, from, to, time_zone: zone } = data.report;
    const visits = data.totals === null ? "" : `: ${plural(data.totals.visits, "visit")}`;
    say(context, `${title}, ${from} to ${to}, ${zone}${visits}.`);
    const rows: readonly object[] | null = data[part];
    if (rows === null) throw new Refusal(`This report does not show its ${part}.`);
    await printRows(context, "visit", COLUMNS[part], rows);
  },
});
