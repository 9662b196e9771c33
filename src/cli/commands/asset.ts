import { changedAsset, newAsset } from "../../engagement/schema";
import { createAsset, listAssets } from "../../engagement/service";
import { updateAssetAnywhere } from "../../engagement/update";
import { type Commands, checked, idIn, inWorkspace } from "./options";

export const assetCommands: Commands = {
  "asset create": {
    required: ["workspace", "name", "link"],
    optional: ["kind", "status", "place", "quantity"],
    does: "puts a link on an Offline Engagement asset",
    run: async (ctx, options) => ({
      asset: await createAsset(await inWorkspace(ctx, options), checked(newAsset, options)),
    }),
  },
  "asset update": {
    required: ["id"],
    optional: ["name", "kind", "status", "place", "quantity"],
    does: "changes an asset",
    run: async (ctx, options) => ({
      asset: await updateAssetAnywhere(ctx, idIn(options), checked(changedAsset, options)),
    }),
  },
  "asset list": {
    required: ["workspace"],
    does: "lists a workspace's assets",
    run: async (ctx, options) => ({ assets: await listAssets(await inWorkspace(ctx, options)) }),
  },
};
