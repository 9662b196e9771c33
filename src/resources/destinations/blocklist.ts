import { auditEntryIn, type ServiceContext } from "../../context";
import { ServiceError } from "../../errors";
import { invalid } from "../../field-errors";
import { normaliseHost } from "../../lib/destination";
import { isoTime } from "../../lib/time";
import { writeWholeToKv } from "../../redirect/slugs/kv-writer";
import { markSettingsTo } from "../../redirect/slugs/statements/marks";
import { openWide } from "../../redirect/slugs/statements/wide";
import {
  type BlockedHostRow,
  deleteBlockedHost,
  insertBlockedHost,
  selectAllBlockedHosts,
  selectBlockedHost,
} from "./destination-statements";

const toBlockedHost = (row: BlockedHostRow) => ({ host: row.host, blocked_at: isoTime(row.created_at) });

type BlockedHost = ReturnType<typeof toBlockedHost>;

function parseHost(value: string): string {
  const host = normaliseHost(value);
  if (host === undefined)
    throw invalid([{ field: "host", message: "The host field must be a host name.", code: "format" }]);
  return host;
}

/** Puts everything that leads to a host into doubt. Few groups and domains do. */
const openHost = (host: string, at: number) => [markSettingsTo(host, at), openWide("host", host, at)];

/** Blocks a host and its subdomains. Links to them stop redirecting as soon as KV shows it. Throws 422. */
export async function blockHost(ctx: ServiceContext, value: string): Promise<BlockedHost> {
  const host = parseHost(value);
  const at = ctx.now();
  const [rows] = await ctx.db.write(
    auditEntryIn(null, ctx, "host.block", host, at),
    [insertBlockedHost(host, at), ...openHost(host, at)],
    selectBlockedHost(host),
  );
  await writeWholeToKv(ctx, "host", host, "taken_down");
  return toBlockedHost(rows[0] ?? { host, created_at: at });
}

/** Ends the block of exactly this host. Throws 404 or 422. */
export async function unblockHost(ctx: ServiceContext, value: string): Promise<{ host: string }> {
  const host = parseHost(value);
  const [rows] = await ctx.db.read(selectBlockedHost(host));
  if (rows.length === 0) throw new ServiceError(404, { message: `The host ${host} is not blocked.` });
  const at = ctx.now();
  await ctx.db.write(auditEntryIn(null, ctx, "host.unblock", host, at), [
    deleteBlockedHost(host),
    ...openHost(host, at),
  ]);
  await writeWholeToKv(ctx, "host", host, null);
  return { host };
}

export async function listBlockedHosts(ctx: ServiceContext): Promise<BlockedHost[]> {
  const [rows] = await ctx.db.read(selectAllBlockedHosts());
  return rows.map(toBlockedHost);
}
