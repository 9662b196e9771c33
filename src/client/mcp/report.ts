import * as z from "zod";
import type { Report } from "../api/wire-types";
import { nullable, type ToolAnswer, type ToolDescription, text } from "./tool";

const count = z.number();
const totals = z.looseObject({ visits: count, clicks: count, scans: count, after_end: count, bots: count });
const visits = z.looseObject({ clicks: count, scans: count });
const table = <Row extends z.ZodType>(row: Row, description: string) =>
  z.array(row).nullable().describe(description);
const shares = (description: string) =>
  table(z.looseObject({ name: z.string(), visits: count }), description);

const INPUT = z.strictObject({
  address: text("The address of the report, such as https://go.example.com/reports/…"),
});

/** The tool that reads a report, which needs no key. */
export const REPORT_TOOL: ToolDescription = {
  name: "get_report",
  title: "Read a report",
  description:
    "Shows the figures of a shared report, by its address alone: in total, by day, of its links and its posters, by source, country, device and channel. Use it to answer which poster worked, or how a campaign went. A table is null if the report does not show it. What has no visits is not listed.",
  input: INPUT,
  output: z.looseObject({
    report: z.looseObject({
      title: text("The name of the Activity Group or tag, or Overview"),
      kind: text("overview, group or tag"),
      from: text("The first day, in time_zone"),
      to: text("The last day"),
      time_zone: z.string(),
      compared_from: nullable("The first day of totals_before"),
      compared_to: nullable("The last one. If the range is not over, up to the same hour"),
      made_at: text("When the figures were made, in UTC"),
    }),
    totals: totals.nullable().describe("Visits are clicks and scans, by people, before a link's end"),
    totals_before: totals.nullable().describe("Of as many days before"),
    days: table(visits.extend({ day: z.string() }), "Each day, those without visits too"),
    links: table(
      visits.extend({ id: z.string(), title: z.string().nullable(), short_url: z.string() }),
      "The most visited ones, ten at most",
    ),
    posters: table(
      z.looseObject({ id: z.string(), name: z.string(), place: z.string().nullable(), scans: count }),
      "Printed assets, such as posters: the most scanned ones, ten at most",
    ),
    sources: shares("Where visitors came from"),
    countries: shares("Their countries"),
    devices: shares("Their devices"),
    channels: shares("Channels of the links"),
  }),
  asksOthers: true,
};

export async function showReport(read: (address: string) => Promise<Report>, given: unknown): ToolAnswer {
  return { data: { ...(await read(INPUT.parse(given).address)) } };
}
