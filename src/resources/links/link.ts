import type { Context } from "../../context";
import type { Statement } from "../../db/client";
import { assertFound, changedSinceRead } from "../../errors";
import { isMatched } from "../../lib/etag";
import { knownStatus, knownType } from "../../lib/group-status";
import { knownValue } from "../../lib/known-value";
import {
  eachField,
  KEY_FIELDS,
  LABEL_FIELDS,
  UTM_DETAIL_FIELDS,
  UTM_FIELDS,
  writtenWindow,
} from "../../lib/link-fields";
import { hostOfDomain, type ShortHost, shortUrlOf } from "../../lib/short-url";
import { isoTime, isoTimeOrNull } from "../../lib/time";
import { storedId } from "../../lib/ulid-text";
import { readRules } from "../../lib/visitor-rules";
import type { EventKind } from "../events/event-kinds";
import { queueEvents } from "../events/event-statements";
import { sortByName, toTag } from "../tags/tag-service";
import { findGroup, type LinkRow, type LinkState, selectLink, selectLinksByIds } from "./link-repository";
import type { Link } from "./link-schema";

export function toLink(row: LinkState, host: ShortHost): Link {
  const group = findGroup(row);
  return {
    id: row.public_id,
    slug: row.slug,
    short_url: shortUrlOf(host, row.domain, row.slug),
    domain: hostOfDomain(host, row.domain),
    destination_url: row.destination_url,
    rules: readRules(row.rules),
    ...eachField(LABEL_FIELDS, (name) => row[name]),
    status: row.archived_at === null ? "active" : "archived",
    ...eachField(KEY_FIELDS, (name) => row[name]),
    ...eachField(UTM_FIELDS, (name) => row[name]),
    utm_campaign: row.utm_campaign,
    utm_campaign_origin: knownValue(["explicit", "inherited"], row.utm_campaign_origin, "explicit"),
    ...eachField(UTM_DETAIL_FIELDS, (name) => row[name]),
    ...(group === undefined
      ? {}
      : {
          activity_group: {
            id: group.public_id,
            name: group.name,
            slug: group.slug,
            type: knownType(group.type),
            status: knownStatus(group.status),
            assignment: { role: "primary" as const, channel: row.channel },
          },
        }),
    tags: sortByName(row.tags.map(toTag)),
    ...writtenWindow(row),
    archived_at: isoTimeOrNull(row.archived_at),
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}

/** All clicks and scans of a link by people so far. They change without a new version of the link. */
export const toVisitTotals = ({ visitTotals }: Pick<LinkRow, "visitTotals">) => ({
  ...visitTotals,
  last_visit_at: isoTimeOrNull(visitTotals.last_visit_at),
});

export type VisitTotals = ReturnType<typeof toVisitTotals>;

/** Throws 412 if `If-Match` does not match the link's current ETag. */
export async function assertLinkUnchanged(ctx: Context, row: LinkRow): Promise<void> {
  if (!(await isMatched(ctx.ifMatch, toLink(row, ctx.config)))) throw changedSinceRead("link");
}

/** Throws 404 if the path names no link, and 412 if `If-Match` does not match it. Returns its destinations. */
export async function assertLinkPath(ctx: Context, id: string) {
  const [rows] = await ctx.db.read(selectLink(ctx.workspace.rowId, storedId(id)));
  const row = assertFound(rows[0], "Link");
  await assertLinkUnchanged(ctx, row);
  return { destination_url: row.destination_url, ended_url: row.ended_url, rules: readRules(row.rules) };
}

/** Undefined if there is none. */
export async function findLink(
  ctx: Pick<Context, "db" | "config" | "workspace">,
  id = "",
): Promise<Link | undefined> {
  if (id === "") return undefined;
  const [rows] = await ctx.db.read(selectLink(ctx.workspace.rowId, storedId(id)));
  return rows[0] && toLink(rows[0], ctx.config);
}

/** Throws 404. */
export async function getLink(ctx: Context, id: string): Promise<Link> {
  const [rows] = await ctx.db.read(selectLink(ctx.workspace.rowId, storedId(id)));
  return toLink(assertFound(rows[0], "Link"), ctx.config);
}

/** The statements by which the receivers of a workspace hear of links that show the same as before. */
export async function queueLinkEvents(
  { db, config }: Pick<Context, "db" | "config">,
  workspaceId: number,
  ids: readonly string[],
  kind: EventKind,
  at: number,
  many?: string,
): Promise<Statement[]> {
  const [rows] = await db.read(selectLinksByIds(workspaceId, ids));
  const events = rows.map((row) => ({ kind, subject: row.public_id, data: toLink(row, config) }));
  return queueEvents(workspaceId, events, at, { many: many ?? null });
}
