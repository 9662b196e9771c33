import { type SQL, sql } from "drizzle-orm";
import { activityGroups } from "./schema/activity-groups";

/** Activity Groups that are neither completed nor archived, although they ended before a time. */
export const wherePastEnd = (at: number): SQL =>
  sql`${activityGroups.status} in ('draft', 'scheduled', 'active')
    and ${activityGroups.ends_at} is not null and ${activityGroups.ends_at} < ${at}`;
