import { z } from "zod";
import { PRESETS } from "../../lib/range";
import { text } from "../../lib/validation";

const REPORT_KINDS = ["overview", "group", "tag"] as const;

/** Visits are counted since this century. */
const day = () => z.iso.date().regex(/^20/, "The day must be a date, such as 2026-12-31.").nullish();

/** A report of the overview, a group or a tag. Its range is `last` while that is given, else the days. */
export const newReport = z.object({
  kind: z.enum(REPORT_KINDS),
  subject: text(26).nullish(),
  last: z.enum(PRESETS).nullish(),
  first_day: day(),
  last_day: day(),
  ends_on: z.iso.date("The end must be a date, such as 2026-12-31."),
});

export const checkedReport = newReport.refine(
  ({ last, first_day: first, last_day: end }) =>
    last != null || (first != null && end != null && first <= end),
  { path: ["last"], message: "Choose the days of the report." },
);

export type NewReport = z.output<typeof newReport>;
export type ReportKind = NewReport["kind"];
