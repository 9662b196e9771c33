import type { Context } from "../../../context";
import { chunksBySize } from "../../../lib/chunks";
import { checkDestinations } from "../check-destinations";
import type { LinkRow } from "../repository";
import { selectExternalIdOwners } from "../statements";
import type { PreviousState } from "./revert";

interface Previous {
  was: LinkRow;
  state: PreviousState;
}

/** Checks previous states by what may have changed since: the rules of destinations, and the owners of external ids. */
export async function checkPrevious(ctx: Context, previous: readonly Previous[]) {
  const previousValues = (field: "destination_url" | "external_id"): string[] =>
    previous.flatMap(({ was, state }) => {
      const value = state.input[field];
      return value == null || value === was[field] ? [] : [value];
    });
  const externalIds = chunksBySize(previousValues("external_id"));
  const [destinations, owners] = await Promise.all([
    checkDestinations(ctx, previousValues("destination_url")),
    ctx.db.read(...externalIds.map((ids) => selectExternalIdOwners(ctx.workspace.rowId, ids))),
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
): string | undefined {
  if (destinations.get(url ?? "")?.refusal !== undefined && url !== was.destination_url)
    return "The earlier destination is refused now.";
  const owner = externalId == null ? undefined : ownerOf.get(externalId);
  return owner === undefined || owner === was.public_id
    ? undefined
    : "The earlier external ID is another link's.";
}
