import type { ServedDomain } from "../../access/statements";
import type { Context } from "../../context";
import { newId } from "../../lib/ids";
import type { RowError } from "./errors";
import { importChunk } from "./import";
import type { CreateLink } from "./schema";

/** More are imported from a file. */
export const MAX_SEVERAL_LINKS = 40;

/** The batch of the new links, or the errors of each that is refused, by its place. */
type CreatedSeveral =
  | { batch: string; ids: readonly string[] }
  | { refused: ReadonlyMap<number, readonly RowError[]> };

/** Creates links, all of them or none, in one change that can be undone as one. */
export async function createSeveral(
  ctx: Context,
  inputs: readonly CreateLink[],
  served: readonly ServedDomain[],
): Promise<CreatedSeveral> {
  ctx.db.assertRoom();
  const batch = newId(ctx.now());
  const rows = inputs.map((input, number) => ({ number, input }));
  const outcomes = await importChunk(ctx, batch, rows, served, true);
  const refused = outcomes.flatMap((one) =>
    one.outcome === "refused" ? [[one.number, one.errors] as const] : [],
  );
  if (refused.length > 0) return { refused: new Map(refused) };
  return { batch, ids: outcomes.flatMap((one) => ("link" in one ? one.link : [])) };
}
