import type { z } from "zod";
import type { Context } from "../context";
import { insertAuditRow } from "../db/audit";
import { invalid, retryLostRaces } from "../errors";
import { newId } from "../lib/ids";
import { HOUR_MS, isoTime, isoTimeOrNull } from "../lib/time";
import { storedId } from "../lib/ulid-text";
import { insertApiKey, selectKey, updateKeyExpiry, whereKeyActive } from "./key-repository";
import { apiKeyNotFound, type IssuedApiKey, keyCreation, newKey, toApiKeyView, toKeyState } from "./keys";
import type { rotatedApiKey } from "./schema";

/**
 * Creates a key with the name and access of another. The old key expires after the overlap, or earlier if it was due
 * to.
 */
export const rotateApiKey = (
  ctx: Context,
  id: string,
  { overlap_hours: overlapHours, expires_at: expiresAt }: z.output<typeof rotatedApiKey>,
): Promise<IssuedApiKey & { replaces: string; replaced_ends_at: string }> =>
  retryLostRaces(async () => {
    const workspaceId = ctx.workspace.rowId;
    const [[found]] = await ctx.db.read(selectKey(workspaceId, storedId(id)));
    if (found === undefined) throw apiKeyNotFound();
    const { key: old } = found;
    const at = ctx.now();
    const state = toKeyState(toApiKeyView(old, ctx.workspace.slug), at);
    if (state !== "active") {
      const message = `A key that is ${state} cannot be rotated: create a new one.`;
      throw invalid([{ field: "key", message, code: "state" }]);
    }
    const { name, access } = old;
    const { key, row, view } = await newKey(ctx, { name, access, expires_at: expiresAt }, at);
    const endsAt = Math.min(old.expires_at ?? Number.POSITIVE_INFINITY, at + overlapHours * HOUR_MS);
    await ctx.db.write(
      {
        workspaceId,
        actor: ctx.actor,
        action: "key.rotate",
        subject: old.public_id,
        at,
        change: { into: view.id, expires_at: isoTime(endsAt), was: isoTimeOrNull(old.expires_at) },
        guards: [whereKeyActive(old.id, at)],
      },
      [
        insertAuditRow(newId(at), keyCreation(ctx, view, at)),
        updateKeyExpiry(old.id, endsAt),
        insertApiKey(row),
      ],
    );
    return { ...view, key, replaces: old.public_id, replaced_ends_at: isoTime(endsAt) };
  });
