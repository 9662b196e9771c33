import { sql } from "drizzle-orm";
import { orm } from "../../db/prepared";
import { savedChannels } from "../../db/schema/channels";

/** Gives the saved channels that have a tag the one that it is merged into, once. Both are public ids. */
export const replaceTagOfChannels = (workspaceId: number, from: string, into: string) =>
  orm.run(sql`update ${savedChannels} set tag_ids =
      (select json_group_array(id) from (select distinct iif(value = ${from}, ${into}, value) as id from json_each(tag_ids)))
    where workspace_id = ${workspaceId} and exists (select 1 from json_each(tag_ids) where value = ${from})`);
