import type { Context } from "../../context";
import { type FieldError, invalid, linkIsFull, takenDown } from "../../errors";
import { storedId } from "../../lib/ulid-text";
import { selectNamedKey } from "../../redirect/slugs/statements/slug-owners";
import { selectTargetLink, type TargetLink } from "./asset-repository";
import { MAX_ASSETS_OF_LINK } from "./asset-schema";

const UNKNOWN_LINK: FieldError = {
  field: "link",
  message: "No link of this workspace has this slug or ID.",
  code: "unknown",
};
const LINK_IS_FULL = linkIsFull("link", MAX_ASSETS_OF_LINK, "Offline Engagement assets");

export const selectTarget = ({ workspace, config }: Context, named: string) =>
  selectTargetLink(workspace.rowId, storedId(named), selectNamedKey(config, workspace.rowId, named));

/** The link with this id or slug. */
export async function findTarget(ctx: Context, named: string): Promise<TargetLink | undefined> {
  const [[link]] = await ctx.db.read(selectTarget(ctx, named));
  return link;
}

export const hasRoomFor = ({ assets }: TargetLink, more: number): boolean =>
  assets + more <= MAX_ASSETS_OF_LINK;

/** Throws 422 on `link` if it is unknown or cannot get `more` assets. */
export function assertTakesAssets(link: TargetLink | undefined, more: number): TargetLink {
  if (link === undefined) throw invalid([UNKNOWN_LINK]);
  if (link.taken_down_by === "operator") throw invalid([takenDown("link")]);
  if (!hasRoomFor(link, more)) throw invalid([LINK_IS_FULL]);
  return link;
}

/** The link with this id or slug. Throws 422 on `link` if it cannot get `more` assets. */
export const getTarget = async (ctx: Context, named: string, more: number): Promise<TargetLink> =>
  assertTakesAssets(await findTarget(ctx, named), more);
