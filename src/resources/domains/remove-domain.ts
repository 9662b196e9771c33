import { auditEntry, type Context } from "../../context";
import { retryLostRaces } from "../../errors";
import { invalid } from "../../field-errors";
import { writeWholeToKv } from "../../redirect/slugs/kv-writer";
import { openWide } from "../../redirect/slugs/statements/wide";
import {
  deleteDomain,
  ensureDomainUnchanged,
  ensureUnused,
  selectUnused,
  updateDomain,
} from "./domain-repository";
import { type Domain, findDomain, hostError, toDomain, writeDomain } from "./domain-service";

const IN_USE = hostError(
  "The host is in use: links have their address on it, or posters that are not retired their code.",
  "state",
);

/**
 * Closes a host: its addresses lead nowhere. The workspace may add it again. A pending host is forgotten.
 * Throws 404, and 422 in use.
 */
export const removeDomain = (ctx: Context, typed: string): Promise<Domain> =>
  retryLostRaces(async () => {
    const row = await findDomain(ctx, typed);
    const { host } = row;
    const workspaceId = ctx.workspace.rowId;
    const at = ctx.now();
    if (row.state === "pending") {
      const entry = auditEntry(ctx, "domain.remove", host, at);
      const guards = [ensureDomainUnchanged(row)];
      await ctx.db.write({ ...entry, space: "frees", guards }, [deleteDomain(workspaceId, host)]);
      return toDomain(row);
    }
    const [[use]] = await ctx.db.read(selectUnused(workspaceId, host));
    if (use?.unused !== 1) throw invalid([IN_USE]);
    const removal = updateDomain(workspaceId, host, { removed_at: at, is_primary: 0 });
    const guards = [ensureUnused(workspaceId, host)];
    const [removed] = await writeDomain(ctx, row, { action: "domain.remove", space: "frees", guards }, [
      removal,
      openWide("domain", host, at),
    ]);
    await writeWholeToKv(ctx, "domain", host, "gone");
    return removed;
  });
