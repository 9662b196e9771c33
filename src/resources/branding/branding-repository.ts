import { eq } from "drizzle-orm";
import { ensureRow } from "../../db/audit";
import { orm } from "../../db/prepared";
import { workspaces } from "../../db/schema/access";

const { page_texts, button_label, button_url, button_host, logo } = workspaces;

const COLUMNS = { page_texts, button_label, button_url, button_host, logo };

export type BrandingRow = Pick<typeof workspaces.$inferSelect, keyof typeof COLUMNS>;

export const selectBranding = (workspaceId: number) =>
  orm.select(COLUMNS).from(workspaces).where(eq(workspaces.id, workspaceId));

export const ensureBrandingUnchanged = (workspaceId: number, was: Partial<BrandingRow>) =>
  ensureRow(workspaces, { id: workspaceId, ...was });

export const updateBranding = (workspaceId: number, fields: Partial<BrandingRow>, at: number) =>
  orm
    .update(workspaces)
    .set({ ...fields, updated_at: at })
    .where(eq(workspaces.id, workspaceId));
