import { auditEntry, type Context } from "../../context";
import type { AuditedChange, Statement } from "../../db/client";
import { assertFound, type FieldError, notFound } from "../../errors";
import { normaliseHost } from "../../lib/destination";
import { knownValue } from "../../lib/known-value";
import { isoTimeOrNull } from "../../lib/time";
import { type DomainRow, ensureDomainUnchanged, selectDomain } from "./domain-repository";
import { DOMAIN_STATES } from "./domain-schema";
import { proofRecord } from "./proof";

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

export const hostError = (message: string, code: FieldError["code"]): FieldError => ({
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

/** Writes a change of a domain that is as it was read, with its audit entry, and returns the domain as it is then. */
export async function writeDomain(
  ctx: Context,
  row: DomainRow,
  { action, guards = [], ...more }: Pick<AuditedChange, "action" | "space" | "guards">,
  statements: readonly Statement[],
): Promise<Domain> {
  const { host } = row;
  const change = {
    ...auditEntry(ctx, action, host, ctx.now()),
    ...more,
    guards: [ensureDomainUnchanged(row), ...guards],
  };
  const [rows] = await ctx.db.write(change, statements, selectDomain(ctx.workspace.rowId, host));
  return toDomain(assertFound(rows[0], "Domain"));
}
