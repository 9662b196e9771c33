import { writeWithinLimit } from "../../access/room";
import { LIMITS, type ServedDomain, selectServedDomains } from "../../access/workspace-statements";
import { auditEntry, type Context } from "../../context";
import type { AuditedChange, ReadStatement, Results, Statement } from "../../db/client";
import { assertFound, notFound, retryLostRaces } from "../../errors";
import { assertNone, invalid } from "../../field-errors";
import { destinationProblem, normaliseHost } from "../../lib/destination";
import type { Failure } from "../../lib/failure";
import type { FieldCode } from "../../lib/field-codes";
import { newId } from "../../lib/ids";
import { knownValue } from "../../lib/known-value";
import { randomSlugText, slugKey } from "../../lib/slug-text";
import { isoTimeOrNull } from "../../lib/time";
import { writeWholeToKv } from "../../redirect/slugs/kv-writer";
import { markSettings } from "../../redirect/slugs/statements/marks";
import { openWide } from "../../redirect/slugs/statements/wide";
import {
  clearPrimary,
  type DomainRow,
  ensureDomainUnchanged,
  ensureHostFree,
  insertDomain,
  selectDomain,
  selectDomains,
  selectProvedDomain,
  updateClaims,
  updateDomain,
} from "./domain-repository";
import { DOMAIN_STATES } from "./domain-schema";
import { hasProof, isRouted, proofRecord } from "./proof";

export const toDomain = ({ host, state, token, ...row }: DomainRow) => ({
  host,
  state: knownValue(DOMAIN_STATES, state, "other"),
  is_primary: row.is_primary === 1,
  /** The DNS record that proves a pending host; null once it is proved. */
  proof:
    state === "pending"
      ? { name: `_waymark.${host}`, type: "TXT" as const, value: proofRecord(token) }
      : null,
  /** Since when an active host has not led to this service; null if it does. */
  failing_since: isoTimeOrNull(row.failing_since),
  /** Where `/` and unknown slugs lead; null for a page. */
  root_url: row.root_url,
  not_found_url: row.not_found_url,
});

export type Domain = ReturnType<typeof toDomain>;

export const hostError = (message: string, code: FieldCode): Failure => ({
  field: "host",
  message,
  code,
});

/** Throws 404. */
export async function findDomain(ctx: Context, typed: string): Promise<DomainRow> {
  const [[row]] = await ctx.db.read(selectDomain(ctx.workspace.rowId, normaliseHost(typed) ?? typed));
  if (row === undefined || row.removed_at !== null) throw notFound("Domain");
  return row;
}

/** Writes a change of a domain that is as it was read, with its audit entry. Returns the domain as it is then, and `reads`. */
export async function writeDomain<S extends readonly ReadStatement[]>(
  ctx: Context,
  row: DomainRow,
  { action, guards = [], ...more }: Pick<AuditedChange, "action" | "space" | "guards" | "before" | "change">,
  statements: readonly Statement[],
  ...reads: S
): Promise<[Domain, ...Results<S>]> {
  const change = {
    ...auditEntry(ctx, action, row.host, ctx.now()),
    ...more,
    guards: [ensureDomainUnchanged(row), ...guards],
  };
  const domain = selectDomain(ctx.workspace.rowId, row.host);
  const [[written], ...others] = await ctx.db.write(change, statements, domain, ...reads);
  return [toDomain(assertFound(written, "Domain")), ...(others as Results<S>)];
}

export const MAX_DOMAINS = LIMITS.domain.max;

const TOKEN_CHARACTERS = 32;

const TAKEN = hostError("Another workspace has this host. The operator can release it.", "taken");
const RELEASING = hostError(
  "Another workspace has this host until its release ends. Add it again in some five minutes.",
  "state",
);

/** A name that no DNS has, so nobody can prove it. */
const isOnLocalhost = ({ config }: Pick<Context, "config">, host: string): boolean =>
  config.isLocal && host.endsWith(".localhost");

/** The host of an address as people paste it: without its scheme and what follows the host. */
const hostIn = (typed: string): string =>
  typed
    .trim()
    .replace(/^https?:\/\//i, "")
    .split(/[/?#]/, 1)[0] ?? "";

/** The host name in ASCII. Throws 422 if it cannot be a domain. */
function readHost(ctx: Pick<Context, "config">, typed: string): string {
  const host = normaliseHost(hostIn(typed));
  const isPublic = host !== undefined && destinationProblem(`https://${host}/`) === undefined;
  if (host === undefined || !(isPublic || isOnLocalhost(ctx, host))) {
    throw invalid([
      hostError("The host field must be a public host name, such as go.example.com.", "format"),
    ]);
  }
  if (ctx.config.ownHosts.includes(host)) {
    throw invalid([hostError("The host is one of the service's own.", "forbidden_host")]);
  }
  return host;
}

/**
 * Adds a host to the workspace, or opens one again that it had removed. The operator's needs no proof, and locally it is
 * active at once. Throws 422 if it is no host for it, or another workspace has it.
 */
export async function addDomain(ctx: Context, typed: string, isTrusted: boolean): Promise<Domain> {
  const host = readHost(ctx, typed);
  return retryLostRaces(() => add(ctx, host, isTrusted || isOnLocalhost(ctx, host)));
}

async function add(ctx: Context, host: string, isProved: boolean): Promise<Domain> {
  const workspaceId = ctx.workspace.rowId;
  const [[own], [owner]] = await ctx.db.read(selectDomain(workspaceId, host), selectProvedDomain(host));
  assertNone([
    own !== undefined && own.removed_at === null
      ? hostError("The workspace has this host already.", "taken")
      : undefined,
    own?.released_at != null ? hostError("The host is being released.", "state") : undefined,
    isProved && owner !== undefined && owner.workspace_id !== workspaceId
      ? owner.released_at === null
        ? TAKEN
        : RELEASING
      : undefined,
  ]);
  const at = ctx.now();
  const proved = ctx.config.isLocal ? "active" : "verified";
  const state = isProved ? proved : (own?.state ?? "pending");
  const isOpened = state !== "pending";
  // The addresses that it had before lead somewhere again.
  const isReopened = isOpened && own !== undefined;
  const opening = [
    ...(isOpened ? [markSettings(slugKey(host, ""), workspaceId, at)] : []),
    ...(isReopened ? [openWide("domain", host, at)] : []),
    ...(isOpened && own === undefined ? [updateClaims(workspaceId, host, 1)] : []),
  ];
  const addition =
    own === undefined
      ? insertDomain({
          public_id: newId(at),
          workspace_id: workspaceId,
          host,
          state,
          token: randomSlugText(TOKEN_CHARACTERS, ctx.random),
          created_at: at,
        })
      : updateDomain(workspaceId, host, { state, removed_at: null, failing_since: null });
  const [rows] = await writeWithinLimit(
    ctx,
    ["domain", own === undefined ? 1 : 0],
    {
      ...auditEntry(ctx, "domain.add", host, at),
      guards: [
        ...(own === undefined ? [] : [ensureDomainUnchanged(own)]),
        ...(isOpened ? [ensureHostFree(workspaceId, host)] : []),
      ],
    },
    [addition, ...opening],
    selectDomain(workspaceId, host),
  );
  if (isReopened) await writeWholeToKv(ctx, "domain", host, null);
  return toDomain(assertFound(rows[0], "Domain"));
}

export async function listServedDomains({ db, workspace }: Context): Promise<ServedDomain[]> {
  const [rows] = await db.read(selectServedDomains(workspace.rowId));
  return rows;
}

export async function listDomains(ctx: Context): Promise<Domain[]> {
  const [rows] = await ctx.db.read(selectDomains(ctx.workspace.rowId));
  return rows.map(toDomain);
}

/** Throws 404. */
export const getDomain = async (ctx: Context, typed: string): Promise<Domain> =>
  toDomain(await findDomain(ctx, typed));

/** Looks for the proof of a pending host, and whether a proved one leads here. Throws 404. */
export const checkDomain = (ctx: Context, typed: string): Promise<Domain> =>
  retryLostRaces(async () => check(ctx, await findDomain(ctx, typed)));

async function check(ctx: Context, row: DomainRow): Promise<Domain> {
  const { host, state, token, failing_since: failingSince } = row;
  const workspaceId = ctx.workspace.rowId;
  const isProved = state !== "pending" || (await hasProof(ctx.config, host, token)) === true;
  if (!isProved) return toDomain(row);
  const [[owner]] = await ctx.db.read(selectProvedDomain(host));
  // The first workspace that proves a host has it.
  if (owner !== undefined && owner.workspace_id !== workspaceId) return toDomain(row);
  const isWorking = state === "active" && failingSince === null;
  const isAnswering = !isWorking && (await isRouted(ctx.config, host));
  const next = state === "active" || isAnswering ? "active" : "verified";
  if (next === state && !isAnswering) return toDomain(row);
  const opening =
    state === "pending"
      ? [markSettings(slugKey(host, ""), workspaceId, ctx.now()), updateClaims(workspaceId, host, 1)]
      : [];
  const activation = updateDomain(workspaceId, host, { state: next, failing_since: null });
  const guards = [ensureHostFree(workspaceId, host)];
  const statements = [activation, ...opening];
  const change = {
    action: "domain.check",
    guards,
    ...(state === "pending" && { space: "claims" as const }),
  };
  const [domain] = await writeDomain(ctx, row, change, statements);
  return domain;
}

/** Makes new links, imports and codes on a proved host; the short host of the service takes that back. Throws 404, 422. */
export const setPrimaryDomain = (ctx: Context, typed: string) =>
  retryLostRaces<Pick<Domain, "host" | "state" | "is_primary">>(async () => {
    const workspaceId = ctx.workspace.rowId;
    const { shortHost } = ctx.config;
    if ((normaliseHost(typed) ?? typed.toLowerCase()) === shortHost) {
      const [rows] = await ctx.db.read(selectDomains(workspaceId));
      const primary = rows.find(({ is_primary }) => is_primary === 1);
      if (primary !== undefined) {
        const change = auditEntry(ctx, "domain.primary", shortHost, ctx.now());
        const guards = [ensureDomainUnchanged(primary)];
        await ctx.db.write({ ...change, guards }, [clearPrimary(workspaceId)]);
      }
      return { host: shortHost, state: "active", is_primary: true };
    }
    const row = await findDomain(ctx, typed);
    if (row.state === "pending") throw invalid([hostError("The host is not proved yet.", "state")]);
    if (row.is_primary === 1) return toDomain(row);
    const statements = [clearPrimary(workspaceId), updateDomain(workspaceId, row.host, { is_primary: 1 })];
    const [domain] = await writeDomain(ctx, row, { action: "domain.primary" }, statements);
    return domain;
  });
