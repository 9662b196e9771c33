import type { z } from "zod";
import type { Context, ServiceContext, Workspace } from "../context";
import { ServiceError, unauthenticated } from "../errors";
import { sha256Hex } from "../lib/hash";
import { newId } from "../lib/ids";
import { isoTime, isoTimeOrNull, MINUTE_MS } from "../lib/time";
import { storedId } from "../lib/ulid-text";
import { isApiKey, makeApiKey } from "./api-key";
import {
  type ApiKeyRow,
  insertApiKey,
  type KeyWithWorkspace,
  keyByHash,
  keyById,
  keyInWorkspace,
  keysOfWorkspace,
  recordUse,
  setRevoked,
} from "./repository";
import type { newApiKey } from "./schema";
import { toWorkspace } from "./service";

const USE_INTERVAL_MS = 10 * MINUTE_MS;

export interface ApiKeyView {
  id: string;
  workspace: string;
  name: string;
  access: "full" | "read";
  last4: string;
  expires_at: string | null;
  revoked_at: string | null;
  last_used_at: string | null;
  created_at: string;
}

export type ApiKeyState = "active" | "expired" | "revoked";

/** Whether a key opens anything at a time. */
export function stateOfKey(
  { revoked_at: revokedAt, expires_at: expiresAt }: Pick<ApiKeyView, "revoked_at" | "expires_at">,
  at: number,
): ApiKeyState {
  if (revokedAt !== null) return "revoked";
  return expiresAt !== null && Date.parse(expiresAt) <= at ? "expired" : "active";
}

export const apiKeyNotFound = () => new ServiceError(404, { message: "API key not found." });

export const toApiKeyView = (
  row: Omit<ApiKeyRow, "id" | "hash" | "workspace_id">,
  workspace: string,
): ApiKeyView => ({
  id: row.public_id,
  workspace,
  name: row.name,
  access: row.access,
  last4: row.last4,
  expires_at: isoTimeOrNull(row.expires_at),
  revoked_at: isoTimeOrNull(row.revoked_at),
  last_used_at: isoTimeOrNull(row.last_used_at),
  created_at: isoTime(row.created_at),
});

/** An issued key: the only place where it can ever be seen. */
export type IssuedApiKey = ApiKeyView & { key: string };

/** A new key with its row and what is shown of it. */
export async function makeKey(ctx: Context, input: z.output<typeof newApiKey>, at: number) {
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

/** The audit row of a key that is issued. */
export const issuing = (ctx: Context, view: ApiKeyView, at: number) => ({
  workspaceId: ctx.workspace.rowId,
  actor: ctx.actor,
  action: "key.create",
  subject: view.id,
  at,
  change: view,
});

/** Issues a key. */
export async function createApiKey(ctx: Context, input: z.output<typeof newApiKey>): Promise<IssuedApiKey> {
  const at = ctx.now();
  const { key, row, view } = await makeKey(ctx, input, at);
  await ctx.db.write(issuing(ctx, view, at), [insertApiKey(row)]);
  return { ...view, key };
}

export async function listApiKeys(ctx: Context): Promise<ApiKeyView[]> {
  const [rows] = await ctx.db.read(keysOfWorkspace(ctx.workspace.rowId));
  return rows.map((row) => toApiKeyView(row, ctx.workspace.slug));
}

/** One key of the workspace. */
export async function getApiKey(ctx: Context, id: string): Promise<ApiKeyView> {
  const [[found]] = await ctx.db.read(keyInWorkspace(ctx.workspace.rowId, storedId(id)));
  if (found === undefined) throw apiKeyNotFound();
  return toApiKeyView(found.key, found.workspace.slug);
}

/** Revokes a key of the workspace for its next request; a key that is revoked already stays as it was. */
export const revokeApiKey = (ctx: Context, id: string): Promise<ApiKeyView> =>
  revoke(ctx, keyInWorkspace(ctx.workspace.rowId, storedId(id)));

/** The same in whatever workspace: the operator's. */
export const revokeApiKeyAnywhere = (ctx: ServiceContext, id: string): Promise<ApiKeyView> =>
  revoke(ctx, keyById(storedId(id)));

/** The same, for who has no more than the key itself. */
export const revokeLeakedKey = async (ctx: ServiceContext, key: string): Promise<ApiKeyView> =>
  revoke(ctx, keyByHash(await sha256Hex(key)));

async function revoke(ctx: ServiceContext, query: ReturnType<typeof keyById>): Promise<ApiKeyView> {
  const [rows] = await ctx.db.read(query);
  const found = rows[0];
  if (found === undefined) throw apiKeyNotFound();
  const at = ctx.now();
  const change = {
    workspaceId: found.workspace.id,
    actor: ctx.actor,
    action: "key.revoke",
    subject: found.key.public_id,
    at,
  };
  const [after] = await ctx.db.write(change, [setRevoked(found.key.id, at)], keyById(found.key.public_id));
  return toApiKeyView(after[0]?.key ?? found.key, found.workspace.slug);
}

export interface Principal {
  keyId: number;
  actor: string;
  readOnly: boolean;
  suspended: boolean;
  workspace: Workspace;
  /** Whether the last use is old enough to be written again. */
  useIsDue: boolean;
}

const BEARER = /^Bearer +(\S+)$/i;

/** The hash of the key in an `Authorization` header; undefined where it has none that can be a key. */
export async function hashOfKey(authorization: string | undefined): Promise<string | undefined> {
  const key = BEARER.exec(authorization ?? "")?.[1];
  return key === undefined || !isApiKey(key) ? undefined : sha256Hex(key);
}

/** Who an `Authorization` header speaks for; 401 alike for a missing, malformed, unknown, expired or revoked key. */
export async function authenticate(
  ctx: Pick<ServiceContext, "db" | "now">,
  authorization: string | undefined,
): Promise<Principal> {
  const hash = await hashOfKey(authorization);
  if (hash === undefined) throw unauthenticated();
  const [rows] = await ctx.db.read(...checkOfKey(hash));
  const principal = findPrincipal(rows, ctx.now());
  if (principal === undefined) throw unauthenticated();
  return principal;
}

/** What tells whether a key is good, and what it may do: the rows for `findPrincipal`. */
export const checkOfKey = (hash: string) => [keyByHash(hash)] as const;

/** Who the key in these rows speaks for; undefined if it is unknown, expired or revoked. */
export function findPrincipal(rows: readonly KeyWithWorkspace[], now: number): Principal | undefined {
  const [found] = rows;
  if (found === undefined || found.key.revoked_at !== null) return undefined;
  if (found.key.expires_at !== null && found.key.expires_at <= now) return undefined;
  return {
    keyId: found.key.id,
    actor: `key:${found.key.public_id}`,
    readOnly: found.key.access === "read",
    suspended: found.workspace.suspended_at !== null,
    workspace: toWorkspace(found.workspace),
    useIsDue: (found.key.last_used_at ?? 0) < now - USE_INTERVAL_MS,
  };
}

/** Writes a key's last use; two isolates at once write it once. */
export const recordKeyUse = (ctx: Pick<ServiceContext, "db" | "now">, keyId: number): Promise<void> =>
  ctx.db.writeUnaudited(recordUse(keyId, ctx.now(), ctx.now() - USE_INTERVAL_MS));
