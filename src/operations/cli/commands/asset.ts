import { getContextOf } from "../../../access/service";
import { changedAsset, newAsset } from "../../../resources/engagement/schema";
import { createAsset, listAssets } from "../../../resources/engagement/service";
import { updateAsset } from "../../../resources/engagement/update";
import { type Commands, command, idOption, NO_OPTIONS, workspaceCommand } from "./command";

export const assetCommands: Commands = {
  "asset create": workspaceCommand(
    "creates an Offline Engagement asset for a link",
    newAsset,
    async (ctx, input) => ({ asset: await createAsset(ctx, input) }),
  ),
  "asset update": command(
    "changes an asset, or moves it with its code to another link",
    idOption.extend(changedAsset.shape),
    async (ctx, { id, ...input }) => ({
      asset: await updateAsset(await getContextOf(ctx, "asset", id), id, input),
    }),
  ),
  "asset list": workspaceCommand("lists a workspace's assets", NO_OPTIONS, async (ctx) => ({
    assets: await listAssets(ctx),
  })),
};
