import { eq } from "drizzle-orm";
import { orm, prepared } from "../db/prepared";
import { workspaces } from "../db/schema/access";
import { activityGroups } from "../db/schema/activity-groups";
import { offlineAssets } from "../db/schema/engagement";
import { links } from "../db/schema/links";
import { WORKSPACE_COLUMNS } from "./statements";

const OWNED = { group: activityGroups, link: links, asset: offlineAssets };

export type Owned = keyof typeof OWNED;

export const selectWorkspaceOf = (kind: Owned, id: string) => {
  const thing = OWNED[kind];
  const owner = orm.select({ id: thing.workspace_id }).from(thing).where(eq(thing.public_id, id));
  return orm.select(WORKSPACE_COLUMNS).from(workspaces).where(eq(workspaces.id, owner));
};

export const insertWorkspace = prepared((row: typeof workspaces.$inferInsert) =>
  orm.insert(workspaces).values(row),
);
