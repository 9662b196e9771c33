import { sql } from "drizzle-orm";
import { boundList, inList } from "../../db/list";
import { orm } from "../../db/prepared";
import { links } from "../../db/schema/links";
import { whereHostBlocked } from "../../redirect/slugs/statements/blocked-host";

/** The links among these whose destination's host is on the blocklist. */
export const selectBlockedAmong = (workspaceId: number, ids: readonly string[]) =>
  orm
    .select({ id: links.public_id })
    .from(links)
    .where(
      sql`${links.public_id} in ${inList(boundList(ids))} and +${links.workspace_id} = ${workspaceId}
          and ${whereHostBlocked(sql`${links.destination_host}`)}`,
    );
