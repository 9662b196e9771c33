import type { Context } from "../../context";
import type { Guard, Statement } from "../../db/client";
import { AlreadyDone } from "../../errors";
import { batchOfImport } from "../audit/audit-statements";

interface NewImport {
  id: string;
  file?: string;
  guards?: readonly Guard[];
  statements?: readonly Statement[];
}

/** Writes the first entry of an import, which stands for all of its changes in the audit trail. Does nothing for one that has begun. */
export async function beginImport(
  { db, workspace, actor, now }: Context,
  { id, file, guards = [], statements = [] }: NewImport,
): Promise<void> {
  const batch = batchOfImport(id);
  const begun = { action: "link.import", subject: id, change: { file }, operation: batch, batch };
  const own = { workspaceId: workspace.rowId, actor, at: now(), space: "takes" } as const;
  await db.write({ ...own, ...begun, guards }, statements).catch((error: unknown) => {
    if (!(error instanceof AlreadyDone)) throw error;
  });
}
