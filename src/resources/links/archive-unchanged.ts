import type { Context } from "../../context";
import type { Statement } from "../../db/client";
import { type LinkRow, type LinkState, selectLinksByIds } from "./repository";
import type { Batch } from "./write/audit";
import { commitLinks } from "./write/commit";
import { nextState } from "./write/next-state";

/** The version of a link that nobody has changed since its creation. */
const FIRST_VERSION = 1;

interface Archived {
  links: readonly LinkRow[];
  archived: number;
  /** Ids of the links that stay as they are, since somebody has changed them. */
  changed: ReadonlySet<string>;
}

/** A link that gets its previous state, with the input for the audit log. */
interface Reverted {
  was: LinkRow;
  will: LinkState;
  input: object;
}

/**
 * Archives those of the links that nobody has changed since their creation, in one batch with other links that get their
 * previous state and with what `record` makes of the result, if that is stored. Throws LostRace.
 */
export async function archiveUnchanged(
  ctx: Context,
  ids: readonly string[],
  batch: Batch,
  record?: (result: Archived) => Statement,
  reverted: readonly Reverted[] = [],
): Promise<Archived> {
  const [links] = await ctx.db.read(selectLinksByIds(ctx.workspace.rowId, ids));
  const at = ctx.now();
  const changed = new Set(links.flatMap((link) => (link.version === FIRST_VERSION ? [] : link.public_id)));
  const changes = links.flatMap((was) => {
    const will = changed.has(was.public_id) ? undefined : nextState(was, { status: "archived" }, {}, at);
    return will === undefined ? [] : [{ was, will, input: { status: "archived" } }];
  });
  const result = { links, archived: changes.length, changed };
  const also = record === undefined ? [] : [record(result)];
  const all = [...changes, ...reverted];
  const action = reverted.length > 0 ? "link.revert" : "link.update";
  if (all.length > 0) await commitLinks(ctx, all, { action, batch, at, also });
  else if (also.length > 0) await ctx.db.writeUnaudited(...also);
  return result;
}
