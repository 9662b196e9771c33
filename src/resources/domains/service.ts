import { writeWithinLimit } from "../../access/room";
import { LIMITS, type ServedDomain, selectServedDomains } from "../../access/statements";
import { auditEntry, type Context } from "../../context";
import { assertFound, assertNone, invalid, LostRace } from "../../errors";
import { destinationHost, destinationProblem, hostOrNull, normaliseHost } from "../../lib/destination";
import { newId } from "../../lib/ids";
import { randomSlugText, slugKey } from "../../lib/slug-text";
import { selectTargetOfSlug } from "../../redirect/slugs/statements/targets";
import { pushTargets } from "../../redirect/slugs/sync";
import { hostProblem, toRefusedHosts } from "../destinations/hosts";
import { selectRefusedHosts } from "../destinations/statements";
import { type Domain, findDomain, hostError, toDomain, writeDomain } from "./domain";
import { hasProof, isRouted } from "./proof";
import {
  clearPrimary,
  deleteDomain,
  ensureHostFree,
  ensureUnused,
  insertDomain,
  selectDomain,
  selectDomains,
  selectProvedDomain,
  updateClaims,
  updateDomain,
  updateSettings,
  upsertSettings,
} from "./repository";

type DomainAddresses = Pick<Domain, "root_url" | "not_found_url">;

export const MAX_DOMAINS = LIMITS.domain.max;

const TOKEN_CHARACTERS = 32;

const TAKEN = hostError("Another workspace has this host. The operator can release it.", "taken");

/** A name that no DNS has, so nobody can prove it. */
const isOnLocalhost = ({ config }: Pick<Context, "config">, host: string): boolean =>
  config.isLocal && host.endsWith(".localhost");

/** The host name in ASCII. Throws 422 if it cannot be a domain. */
function readHost(ctx: Pick<Context, "config">, typed: string): string {
  const host = normaliseHost(typed);
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
  const isProved = isTrusted || isOnLocalhost(ctx, host);
  const workspaceId = ctx.workspace.rowId;
  const [[own], [owner]] = await ctx.db.read(selectDomain(workspaceId, host), selectProvedDomain(host));
  assertNone([
    own !== undefined && own.removed_at === null
      ? hostError("The workspace has this host already.", "taken")
      : undefined,
    own?.released_at != null ? hostError("The host is being released.", "state") : undefined,
    isProved && owner !== undefined && owner.workspace_id !== workspaceId ? TAKEN : undefined,
  ]);
  const at = ctx.now();
  const proved = ctx.config.isLocal ? "active" : "verified";
  const state = isProved ? proved : (own?.state ?? "pending");
  const isOpened = state !== "pending";
  const opening = [
    ...(isOpened ? [upsertSettings(workspaceId, host, at)] : []),
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
      guards: isOpened ? [ensureHostFree(workspaceId, host)] : [],
    },
    [addition, ...opening],
    selectDomain(workspaceId, host),
  );
  return toDomain(assertFound(rows[0], "Domain"));
}

/** The domains on which links of the workspace are served. */
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
export async function checkDomain(ctx: Context, typed: string): Promise<Domain> {
  const row = await findDomain(ctx, typed);
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
      ? [upsertSettings(workspaceId, host, ctx.now()), updateClaims(workspaceId, host, 1)]
      : [];
  const activation = updateDomain(workspaceId, host, { state: next, failing_since: null });
  return writeDomain(ctx, "check", host, [activation, ...opening], [ensureHostFree(workspaceId, host)]);
}

/** Makes new links, imports and codes on a proved host; the short host of the service takes that back. Throws 404, 422. */
export async function setPrimaryDomain(
  ctx: Context,
  typed: string,
): Promise<Pick<Domain, "host" | "state" | "is_primary">> {
  const workspaceId = ctx.workspace.rowId;
  const { shortHost } = ctx.config;
  if ((normaliseHost(typed) ?? typed.toLowerCase()) === shortHost) {
    const change = auditEntry(ctx, "domain.primary", shortHost, ctx.now());
    await ctx.db.write(change, [clearPrimary(workspaceId)]);
    return { host: shortHost, state: "active", is_primary: true };
  }
  const { host, state } = await findDomain(ctx, typed);
  if (state === "pending") throw invalid([hostError("The host is not proved yet.", "state")]);
  return writeDomain(ctx, "primary", host, [
    clearPrimary(workspaceId),
    updateDomain(workspaceId, host, { is_primary: 1 }),
  ]);
}

/** Sets where `/` and unknown slugs of a domain lead; null for a page. Both obey the rules of destinations. Throws 404, 422. */
export async function setDomainAddresses(
  ctx: Context,
  typed: string,
  { root_url: root, not_found_url: notFound }: DomainAddresses,
): Promise<Domain> {
  const workspaceId = ctx.workspace.rowId;
  const [{ host }, [rows]] = await Promise.all([
    findDomain(ctx, typed),
    ctx.db.read(
      selectRefusedHosts([root, notFound].flatMap((url) => (url === null ? [] : destinationHost(url)))),
    ),
  ]);
  const refused = toRefusedHosts(rows);
  assertNone([
    hostProblem(ctx, "root_url", root, refused),
    hostProblem(ctx, "not_found_url", notFound, refused),
  ]);
  const at = ctx.now();
  const domain = await writeDomain(ctx, "change", host, [
    updateDomain(workspaceId, host, {
      root_url: root,
      root_host: hostOrNull(root),
      not_found_url: notFound,
      not_found_host: hostOrNull(notFound),
    }),
    updateSettings(workspaceId, host, at),
  ]);
  const [settings] = await ctx.db.read(selectTargetOfSlug(slugKey(host, "")));
  await pushTargets(ctx, settings, at);
  return domain;
}

const IN_USE = hostError(
  "The host is in use: links have their address on it, or assets that are not retired their code.",
  "state",
);

/**
 * Closes a host: its addresses lead nowhere within five minutes. The workspace may add it again. A pending host is forgotten.
 * Throws 404, and 422 in use.
 */
export async function removeDomain(ctx: Context, typed: string): Promise<Domain> {
  const row = await findDomain(ctx, typed);
  const { host } = row;
  const workspaceId = ctx.workspace.rowId;
  const change = auditEntry(ctx, "domain.remove", host, ctx.now());
  if (row.state === "pending") {
    await ctx.db.write(change, [deleteDomain(workspaceId, host)]);
    return toDomain(row);
  }
  const removal = updateDomain(workspaceId, host, { removed_at: ctx.now(), is_primary: 0 });
  const guards = [ensureUnused(workspaceId, host)];
  return writeDomain(ctx, "remove", host, [removal], guards).catch((error: unknown) => {
    throw error instanceof LostRace ? invalid([IN_USE]) : error;
  });
}
