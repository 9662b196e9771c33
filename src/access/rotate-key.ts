import type { z } from "zod";
import { auditEntry, type Context } from "../context";
import { insertAuditRow } from "../db/audit";
import { assertFound, invalid, retryLostRaces, unavailable } from "../errors";
import { newId } from "../lib/ids";
import { HOUR_MS, isoTime, isoTimeOrNull } from "../lib/time";
import { storedId } from "../lib/ulid-text";
import type { rotatedApiKey } from "./access-schema";
import {
  deleteOldestEnded,
  ensureKeyActive,
  insertApiKey,
  selectKey,
  updateKeyExpiry,
} from "./key-repository";
import { type IssuedApiKey, type IssuedOnce, keyCreation, newKey, toApiKeyView, toKeyState } from "./keys";
import { writeWithinLimit } from "./room";

type RotatedKey = IssuedApiKey & { replaces: string; replaced_ends_at: string };

/**
 * Creates a key with the name and access of another. The old key expires after the overlap, or earlier if it was due
 * to.
 */
export async function rotateApiKey(ctx: Context, id: string, input: z.output<typeof rotatedApiKey>) {
  const rotated = await rotateApiKeyOnce(ctx, id, input, "");
  if (!("issued" in rotated)) throw unavailable();
  return rotated.issued;
}

/** Rotates a key, unless the same form has done so. The new key has the form's id. */
export const rotateApiKeyOnce = (
  ctx: Context,
  id: string,
  { overlap_hours: overlapHours, expires_at: expiresAt }: z.output<typeof rotatedApiKey>,
  formId: string,
): Promise<IssuedOnce<RotatedKey>> =>
  retryLostRaces(async () => {
    const workspaceId = ctx.workspace.rowId;
    const newKeyId = storedId(formId) || undefined;
    const [[found], [made]] = await ctx.db.read(
      selectKey(workspaceId, storedId(id)),
      newKeyId === undefined ? undefined : selectKey(workspaceId, newKeyId),
    );
    const { key: old } = assertFound(found, "API key");
    if (made !== undefined) return { made: toApiKeyView(made.key, ctx.workspace.slug) };
    const at = ctx.now();
    const state = toKeyState(toApiKeyView(old, ctx.workspace.slug), at);
    if (state !== "active") {
      const message = `A key that is ${state} cannot be rotated: create a new one.`;
      throw invalid([{ field: "key", message, code: "state" }]);
    }
    const { name, access } = old;
    const fields = { name, access, expires_at: expiresAt };
    const { key, row, view } = await newKey(ctx, fields, at, newKeyId);
    const endsAt = Math.min(old.expires_at ?? Number.POSITIVE_INFINITY, at + overlapHours * HOUR_MS);
    await writeWithinLimit(
      ctx,
      ["key", 1],
      {
        ...auditEntry(ctx, "key.rotate", old.public_id, at),
        change: { into: view.id, expires_at: isoTime(endsAt), was: isoTimeOrNull(old.expires_at) },
        guards: [ensureKeyActive(old.id, at)],
      },
      [
        insertAuditRow(newId(at), keyCreation(ctx, view, at)),
        updateKeyExpiry(old.id, endsAt),
        ...deleteOldestEnded(workspaceId, at),
        insertApiKey(row),
      ],
    );
    return { issued: { ...view, key, replaces: old.public_id, replaced_ends_at: isoTime(endsAt) } };
  });
