import type { Context } from "../../../context";
import { chunksBySize } from "../../../lib/chunks";
import type { BatchRow } from "../../audit/statements";
import { checkDestinations } from "../check-destinations";
import type { LinkRow } from "../repository";
import { selectExternalIdOwners } from "../statements";
import { type PreviousState, toPreviousState } from "./revert";

/** Checks the previous states by what may have changed since: the rules of destinations, and the owners of external ids. */
export async function checkPrevious(
  ctx: Context,
  { rows, links }: { rows: readonly BatchRow[]; links: readonly LinkRow[] },
) {
  const linkOf = new Map(links.map((link) => [link.public_id, link]));
  const previous = rows.flatMap((row) => {
    const was = linkOf.get(row.subject);
    return was === undefined || row.has_next === 1
      ? []
      : [{ was, input: toPreviousState(row, ctx.config).input }];
  });
  const urls = previous.flatMap(({ was, input: { destination_url: url } }) =>
    url === undefined || url === was.destination_url ? [] : [url],
  );
  const externalIds = previous.flatMap(({ was, input: { external_id: id } }) =>
    id == null || id === was.external_id ? [] : [id],
  );
  const [destinations, owners] = await Promise.all([
    checkDestinations(ctx, urls),
    ctx.db.read(...chunksBySize(externalIds).map((ids) => selectExternalIdOwners(ctx.workspace.rowId, ids))),
  ]);
  return {
    destinations,
    ownerOf: new Map(owners.flat().map(({ external_id: externalId, id }) => [externalId, id])),
  };
}

export type Checks = Awaited<ReturnType<typeof checkPrevious>>;

/** Why a previous state cannot come back, though nobody has changed the link since. */
export function ruleProblem(
  was: LinkRow,
  { destination_url: url, external_id: externalId }: PreviousState["input"],
  { destinations, ownerOf }: Checks,
): "destination" | "external_id" | undefined {
  if (destinations.get(url ?? "")?.refusal !== undefined && url !== was.destination_url) return "destination";
  const owner = externalId == null ? undefined : ownerOf.get(externalId);
  return owner === undefined || owner === was.public_id ? undefined : "external_id";
}
