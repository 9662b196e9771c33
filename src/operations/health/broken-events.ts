import type { ServiceContext } from "../../context";
import type { Statement } from "../../db/client";
import { queueLinkEvents } from "../../resources/links/link";
import type { HealthChange } from "../alerts/broken";
import { selectLinksToTell } from "./health-repository";

/** A destination of more links is told of the first ones. */
const MAX_LINKS_OF_DESTINATION = 200;
export const STATEMENTS_OF_WORKSPACE = 3;
/** What a run sends after these. */
export const STATEMENTS_TO_FINISH = 8;

const isNewlyBroken = ({ was, is }: HealthChange): boolean => is.state === "broken" && was.state !== "broken";

/**
 * The statements by which receivers hear of links whose destination is broken now, and the changes that may be stored: those that
 * can be told in one run. The destinations of further workspaces are asked again, and told then. Of a destination that has more
 * workspaces by itself, the first ones are told.
 */
export async function tellBroken(
  ctx: ServiceContext,
  changes: readonly HealthChange[],
): Promise<{ stored: readonly HealthChange[]; told: Statement[] }> {
  const broken = changes.filter(isNewlyBroken).map(({ url }) => url);
  if (broken.length === 0) return { stored: changes, told: [] };
  const [links] = await ctx.db.read(selectLinksToTell(broken, MAX_LINKS_OF_DESTINATION * broken.length));
  const linksOf = Map.groupBy(links, ({ url }) => url);
  const idsIn = new Map<number, Set<string>>();
  const later = new Set<string>();
  const maxWorkspaces = Math.floor(
    (ctx.db.statementsLeft() - STATEMENTS_TO_FINISH) / STATEMENTS_OF_WORKSPACE,
  );
  for (const [url, rows] of linksOf) {
    const added = new Set(rows.map((row) => row.workspace_id).filter((id) => !idsIn.has(id)));
    if ((idsIn.size > 0 || maxWorkspaces < 1) && idsIn.size + added.size > maxWorkspaces) {
      later.add(url);
      continue;
    }
    for (const { workspace_id: workspace, id } of rows.slice(0, MAX_LINKS_OF_DESTINATION))
      if (idsIn.has(workspace) || idsIn.size < maxWorkspaces)
        idsIn.set(workspace, (idsIn.get(workspace) ?? new Set()).add(id));
  }
  const at = ctx.now();
  const told: Statement[] = [];
  for (const [rowId, ids] of idsIn)
    told.push(...(await queueLinkEvents(ctx, rowId, [...ids], "link.broken", at)));
  return { stored: changes.filter(({ url }) => !later.has(url)), told };
}
