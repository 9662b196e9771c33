import type { z } from "zod";
import type { Context } from "../context";
import { insertAuditRow } from "../db/audit";
import { invalid, retryLostRaces } from "../errors";
import { newId } from "../lib/ids";
import { HOUR_MS, isoTime, isoTimeOrNull } from "../lib/time";
import { storedId } from "../lib/ulid-text";
import { apiKeyNotFound, type IssuedApiKey, issuing, makeKey, stateOfKey, toApiKeyView } from "./keys";
import { endKey, insertApiKey, keyInWorkspace, keyIsActive } from "./repository";
import type { rotatedApiKey } from "./schema";

/** Issues a key beside another one, with its name and access; the old one ends after the overlap, never later than before. */
export const rotateApiKey = (
  ctx: Context,
  id: string,
  { overlap_hours: overlapHours, expires_at: expiresAt }: z.output<typeof rotatedApiKey>,
): Promise<IssuedApiKey & { replaces: string; replaced_ends_at: string }> =>
  retryLostRaces(async () => {
    const workspaceId = ctx.workspace.rowId;
    const [[found]] = await ctx.db.read(keyInWorkspace(workspaceId, storedId(id)));
    if (found === undefined) throw apiKeyNotFound();
    const { key: old } = found;
    const at = ctx.now();
    const state = stateOfKey(toApiKeyView(old, ctx.workspace.slug), at);
    if (state !== "active") {
      const message = `A key that is ${state} cannot be rotated: create a new one.`;
      throw invalid([{ field: "key", message }]);
    }
    const { name, access } = old;
    const { key, row, view } = await makeKey(ctx, { name, access, expires_at: expiresAt }, at);
    const endsAt = Math.min(old.expires_at ?? Number.POSITIVE_INFINITY, at + overlapHours * HOUR_MS);
    await ctx.db.write(
      {
        workspaceId,
        actor: ctx.actor,
        action: "key.rotate",
        subject: old.public_id,
        at,
        change: { into: view.id, expires_at: isoTime(endsAt), was: isoTimeOrNull(old.expires_at) },
        guards: [keyIsActive(old.id, at)],
      },
      [insertAuditRow(newId(at), issuing(ctx, view, at)), endKey(old.id, endsAt), insertApiKey(row)],
    );
    return { ...view, key, replaces: old.public_id, replaced_ends_at: isoTime(endsAt) };
  });
