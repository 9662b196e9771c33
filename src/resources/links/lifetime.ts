import { isoTimeOrNull } from "../../lib/time";
import type { LifetimeRow } from "./repository";

/** All clicks and scans of a link by people so far. They change without a new version of the link. */
export interface Lifetime {
  clicks: number;
  scans: number;
  last_visit_at: string | null;
}

export const toLifetime = ({ clicks, scans, last_visit_at: last }: LifetimeRow): Lifetime => ({
  clicks,
  scans,
  last_visit_at: isoTimeOrNull(last),
});
