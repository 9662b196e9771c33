import { and, desc, eq, isNull, sql } from "drizzle-orm";
import { orm } from "../../db/prepared";
import { links, linkTotals } from "../../db/schema/links";
import { eachField, VALUE_FIELDS, type ValueFieldName } from "../../lib/link-fields";

export const selectValues = (workspaceId: number, field: ValueFieldName, most: number) =>
  orm
    .select({ value: linkTotals.key, active: linkTotals.active, archived: linkTotals.archived })
    .from(linkTotals)
    .where(
      and(
        eq(linkTotals.workspace_id, workspaceId),
        eq(linkTotals.kind, field),
        sql`${linkTotals.active} + ${linkTotals.archived} > 0`,
      ),
    )
    .orderBy(linkTotals.key)
    .limit(most);

export const selectNewestCampaigns = (workspaceId: number, most: number) =>
  orm
    .select(eachField(VALUE_FIELDS, (name) => links[name]))
    .from(links)
    .where(and(eq(links.workspace_id, workspaceId), isNull(links.deleted_at)))
    .orderBy(desc(links.public_id))
    .limit(most);
