import { and, asc, desc, eq, isNull, sql } from "drizzle-orm";
import { orm } from "../../db/prepared";
import { links, linkTotals } from "../../db/schema/links";

/** The channels in use, in the order of their code points. */
export const selectChannels = (workspaceId: number, most: number) =>
  orm
    .select({ channel: linkTotals.key })
    .from(linkTotals)
    .where(
      and(
        eq(linkTotals.workspace_id, workspaceId),
        eq(linkTotals.kind, "channel"),
        sql`${linkTotals.active} + ${linkTotals.archived} > 0`,
      ),
    )
    .orderBy(asc(linkTotals.key))
    .limit(most);

export type CampaignRow = Pick<
  typeof links.$inferSelect,
  "utm_source" | "utm_medium" | "utm_campaign" | "destination_url"
>;

/** The UTM parameters of the newest links. */
export const selectNewestCampaigns = (workspaceId: number, most: number) =>
  orm
    .select({
      utm_source: links.utm_source,
      utm_medium: links.utm_medium,
      utm_campaign: links.utm_campaign,
      destination_url: links.destination_url,
    })
    .from(links)
    .where(and(eq(links.workspace_id, workspaceId), isNull(links.deleted_at)))
    .orderBy(desc(links.public_id))
    .limit(most);
