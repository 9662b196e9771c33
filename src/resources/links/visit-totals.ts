import { isoTimeOrNull } from "../../lib/time";
import type { VisitTotalsRow } from "./repository";

/** All clicks and scans of a link by people so far. They change without a new version of the link. */
export interface VisitTotals {
  clicks: number;
  scans: number;
  last_visit_at: string | null;
}

export const toVisitTotals = ({ clicks, scans, last_visit_at: last }: VisitTotalsRow): VisitTotals => ({
  clicks,
  scans,
  last_visit_at: isoTimeOrNull(last),
});
