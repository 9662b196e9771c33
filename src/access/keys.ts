import type { z } from "zod";
import { auditEntry, auditEntryIn, type ServiceContext, type WorkspaceContext } from "../context";
import { insertAuditRow } from "../db/audit";
import type { Statement } from "../db/client";
import { assertFound, retryLostRaces } from "../errors";
import { invalid } from "../field-errors";
import { sha256Hex } from "../lib/hash";
import { newId } from "../lib/ids";
import { knownValue } from "../lib/known-value";
import { sortNaturally } from "../lib/natural-order";
import { pageOf } from "../lib/paging";
import { fold } from "../lib/slug-text";
import { DAY_MS, HOUR_MS, isoTime, isoTimeOrNull } from "../lib/time";
import { storedId } from "../lib/ulid-text";
import { KEY_ACCESSES, type newApiKey, type rotatedApiKey } from "./access-schema";
import { makeApiKey } from "./api-key";
import {
  type ApiKeyRow,
  deleteOldestEnded,
  ensureKeyActive,
  ensureKeyUnrevoked,
  insertApiKey,
  type KeyWithWorkspace,
  selectKey,
  selectKeyAnywhere,
  selectKeyByHash,
  selectKeysOfRemoved,
  selectMakersOfKeys,
  selectNewestKeys,
  updateKeyExpiry,
  updateRevocation,
} from "./key-repository";
import { writeWithinLimit } from "./room";

/** So many days before its expiry an API key needs attention: in its list, on the overview and in alerts. */
export const KEY_EXPIRES_SOON_DAYS = 7;
export const KEY_EXPIRES_SOON_MS = KEY_EXPIRES_SOON_DAYS * DAY_MS;

/** In the order of lists. */
const STATES = ["active", "expired", "revoked"] as const;
type ApiKeyState = (typeof STATES)[number];

export const expiresSoon = ({ expires_at: at }: Pick<ApiKeyView, "expires_at">, now: number): boolean =>
  at !== null && Date.parse(at) <= now + KEY_EXPIRES_SOON_MS;

export function toKeyState(key: Pick<ApiKeyView, "revoked_at" | "expires_at">, at: number): ApiKeyState {
  if (key.revoked_at !== null) return "revoked";
  return key.expires_at !== null && Date.parse(key.expires_at) <= at ? "expired" : "active";
}

const toApiKeyView = (row: Omit<ApiKeyRow, "id" | "hash" | "workspace_id">, workspace: string) => ({
  id: row.public_id,
  workspace,
  name: row.name,
  access: knownValue(KEY_ACCESSES, row.access, "other"),
  last4: row.last4,
  expires_at: isoTimeOrNull(row.expires_at),
  revoked_at: isoTimeOrNull(row.revoked_at),
  last_used_at: isoTimeOrNull(row.last_used_at),
  created_at: isoTime(row.created_at),
});

export type ApiKeyView = ReturnType<typeof toApiKeyView>;

/** A new API key with its secret, which is shown only once. */
export type IssuedApiKey = ApiKeyView & { key: string };

/** Generates a key; returns its secret, its row and its public form. */
async function newKey(ctx: WorkspaceContext, input: z.output<typeof newApiKey>, at: number) {
  const key = makeApiKey(ctx.random);
  const row = {
    public_id: newId(at),
    workspace_id: ctx.workspace.rowId,
    hash: await sha256Hex(key),
    last4: key.slice(-4),
    name: input.name,
    access: input.access ?? "full",
    expires_at: input.expires_at ?? null,
    revoked_at: null,
    last_used_at: null,
    created_at: at,
  };
  return { key, row, view: toApiKeyView(row, ctx.workspace.slug) };
}

const keyCreation = (ctx: WorkspaceContext, view: ApiKeyView, at: number) => ({
  ...auditEntry(ctx, "key.create", view.id, at),
  change: view,
});

/** Creates a key; 422 if the workspace has too many active ones. */
export async function createApiKey(
  ctx: WorkspaceContext,
  input: z.output<typeof newApiKey>,
): Promise<IssuedApiKey> {
  const at = ctx.now();
  const { key, row, view } = await newKey(ctx, input, at);
  await writeWithinLimit(ctx, ["key", 1], keyCreation(ctx, view, at), [
    ...deleteOldestEnded(ctx.workspace.rowId, at),
    insertApiKey(row),
  ]);
  return { ...view, key };
}

export const KEYS_PER_PAGE = 50;

/** Keys that work come first. In each state "Build 2" comes before "Build 10", then the newest first. */
const inOrder = (newest: readonly ApiKeyView[], now: number): ApiKeyView[] =>
  STATES.flatMap((state) => sortNaturally(newest.filter((key) => toKeyState(key, now) === state)));

/** A page of the keys, or of those with `q` in their name. A page after the last one is the last one. */
export async function listKeyPage(ctx: WorkspaceContext, { q, page }: { q: string; page: number }) {
  const [rows] = await ctx.db.read(selectNewestKeys(ctx.workspace.rowId));
  const keys = rows.map((row) => toApiKeyView(row, ctx.workspace.slug));
  const found = keys.filter(({ name }) => fold(name).includes(fold(q)));
  return {
    ...pageOf(inOrder(found, ctx.now()), page, KEYS_PER_PAGE),
    all: keys.length,
  };
}

export async function listApiKeys(ctx: WorkspaceContext): Promise<ApiKeyView[]> {
  const [rows] = await ctx.db.read(selectNewestKeys(ctx.workspace.rowId));
  return rows.map((row) => toApiKeyView(row, ctx.workspace.slug)).toReversed();
}

/** All keys, each with the actor who made it; null if the audit log no longer says so. */
export async function listKeysWithMakers(ctx: WorkspaceContext) {
  const [keys, [rows]] = await Promise.all([
    listApiKeys(ctx),
    ctx.db.read(selectMakersOfKeys(ctx.workspace.rowId)),
  ]);
  const makers = new Map(rows.map(({ id, maker }) => [id, maker]));
  return keys.map((key) => ({ ...key, created_by: makers.get(key.id) ?? null }));
}

/** The keys that work and were made by people who are no longer members. */
export async function listKeysOfRemoved(ctx: WorkspaceContext) {
  const [rows] = await ctx.db.read(selectKeysOfRemoved(ctx.workspace.rowId, ctx.now()));
  return rows;
}

/** Throws 404 if the workspace has no such key. */
export async function getApiKey(ctx: WorkspaceContext, id: string): Promise<ApiKeyView> {
  const [[found]] = await ctx.db.read(selectKey(ctx.workspace.rowId, storedId(id)));
  const { key, workspace } = assertFound(found, "API key");
  return toApiKeyView(key, workspace.slug);
}

/** Revokes a key with effect from its next request. A key that is already revoked keeps its time of revocation. */
export const revokeApiKey = (ctx: WorkspaceContext, id: string): Promise<ApiKeyView> =>
  revokeSelected(ctx, selectKey(ctx.workspace.rowId, storedId(id)));

/** For the operator: the key may be in any workspace. */
export const revokeApiKeyAnywhere = (ctx: ServiceContext, id: string): Promise<ApiKeyView> =>
  revokeSelected(ctx, selectKeyAnywhere(storedId(id)));

/** For the operator: revokes a key by its secret, for example after a leak. */
export const revokeApiKeyByText = async (ctx: ServiceContext, key: string): Promise<ApiKeyView> =>
  revokeSelected(ctx, selectKeyByHash(await sha256Hex(key)));

const revokeSelected = (ctx: ServiceContext, query: Statement<KeyWithWorkspace[]>): Promise<ApiKeyView> =>
  retryLostRaces(async () => {
    const [[found]] = await ctx.db.read(query);
    const { key, workspace } = assertFound(found, "API key");
    if (key.revoked_at !== null) return toApiKeyView(key, workspace.slug);
    const at = ctx.now();
    const [[after]] = await ctx.db.write(
      {
        ...auditEntryIn(workspace.id, ctx, "key.revoke", key.public_id, at),
        space: "frees",
        guards: [ensureKeyUnrevoked(key.id)],
      },
      [updateRevocation(key.id, at)],
      selectKeyAnywhere(key.public_id),
    );
    return toApiKeyView(after?.key ?? key, workspace.slug);
  });

type RotatedKey = IssuedApiKey & { replaces: string; replaced_ends_at: string };

/**
 * Creates a key with the name and access of another. The old key expires after the overlap, or earlier if it was due
 * to.
 */
export const rotateApiKey = (
  ctx: WorkspaceContext,
  id: string,
  { overlap_hours: overlapHours, expires_at: expiresAt }: z.output<typeof rotatedApiKey>,
): Promise<RotatedKey> =>
  retryLostRaces(async () => {
    const workspaceId = ctx.workspace.rowId;
    const [[found]] = await ctx.db.read(selectKey(workspaceId, storedId(id)));
    const { key: old } = assertFound(found, "API key");
    const at = ctx.now();
    const state = toKeyState(toApiKeyView(old, ctx.workspace.slug), at);
    if (state !== "active") {
      const message = `A key that is ${state} cannot be rotated: create a new one.`;
      throw invalid([{ field: "key", message, code: "state" }]);
    }
    const { name, access } = old;
    const fields = { name, access, expires_at: expiresAt };
    const { key, row, view } = await newKey(ctx, fields, at);
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
    return { ...view, key, replaces: old.public_id, replaced_ends_at: isoTime(endsAt) };
  });
