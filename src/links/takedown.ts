import type { ServiceContext } from "../context";
import type { Statement } from "../db/client";
import { linkNotFound, ServiceError, untilDecided } from "../errors";
import type { Verdict } from "../hosts/resolver";
import { slugKey } from "../lib/slug-text";
import { isoTimeOrNull } from "../lib/time";
import { storedId } from "../lib/ulid-text";
import { always, outdateSlugs, slugsToPush } from "../slugs/repository";
import { pushTargets } from "../slugs/sync";
import { type LinkAnywhere, linkAnywhere, linkIsThere, putBackRow, takeDownRow } from "./repository";

export interface TakenDownView {
  id: string;
  slug: string;
  destination_url: string;
  verdict: Verdict;
  taken_down_at: string | null;
  taken_down_by: LinkAnywhere["taken_down_by"];
}

const toView = (row: LinkAnywhere): TakenDownView => ({
  id: row.public_id,
  slug: row.slug,
  destination_url: row.destination_url,
  verdict: row.verdict,
  taken_down_at: isoTimeOrNull(row.taken_down_at),
  taken_down_by: row.taken_down_by,
});

const asItIs = (id: string, state: string) =>
  new ServiceError(422, { message: `The link ${id} is ${state}.` });

/** Changes a link of whatever workspace, told by its id or a slug that opens it, and tells KV at once of every slug that opens it. */
const change = (
  ctx: ServiceContext,
  named: string,
  action: string,
  write: (row: LinkAnywhere, at: number) => Statement,
): Promise<TakenDownView> =>
  untilDecided(async () => {
    const [rows] = await ctx.db.read(linkAnywhere(storedId(named), slugKey(named)));
    const [row] = rows;
    if (row === undefined) throw linkNotFound();
    const at = ctx.now();
    const statement = write(row, at);
    const { workspace_id: workspaceId, public_id: id } = row;
    const [after, toPush] = await ctx.db.write(
      {
        workspaceId,
        actor: ctx.actor,
        action,
        subject: id,
        at,
        guards: [linkIsThere(workspaceId, id, row.version)],
      },
      [outdateSlugs(workspaceId, row.id, always, at), statement],
      linkAnywhere(id, ""),
      slugsToPush(workspaceId, id),
    );
    await pushTargets(ctx, toPush, at);
    return toView(after[0] ?? row);
  });

/**
 * Takes a link down: its visitors see a page that says so and whom to ask, until it is put back. `host` is what a check
 * has found bad: a link that leads elsewhere by then stays.
 */
export const takeDown = (ctx: ServiceContext, id: string, host?: string): Promise<TakenDownView> =>
  change(ctx, id, "link.takedown", (row, at) => {
    if (row.taken_down_at !== null) throw asItIs(row.public_id, "taken down already");
    if (host !== undefined && row.destination_host !== host) throw asItIs(row.public_id, "led elsewhere now");
    return takeDownRow(row.id, at, host === undefined ? "operator" : "check");
  });

/** Puts a link back into service. The operator's judgement stands: its destination is not checked again. */
export const putBack = (ctx: ServiceContext, id: string): Promise<TakenDownView> =>
  change(ctx, id, "link.restore", (row) => {
    if (row.taken_down_at === null) throw asItIs(row.public_id, "not taken down");
    return putBackRow(row.id);
  });
