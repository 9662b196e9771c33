import { getContextOf } from "../../../access/service";
import { changedAsset, newAsset } from "../../../resources/engagement/schema";
import { createAsset, listAssets } from "../../../resources/engagement/service";
import { updateAsset } from "../../../resources/engagement/update";
import { type Commands, inWorkspace, parseId, parseOptions } from "./options";

export const assetCommands: Commands = {
  "asset create": {
    required: ["workspace", "name", "link"],
    optional: ["kind", "status", "place", "quantity"],
    description: "creates an Offline Engagement asset for a link",
    run: async (ctx, options) => ({
      asset: await createAsset(await inWorkspace(ctx, options), parseOptions(newAsset, options)),
    }),
  },
  "asset update": {
    required: ["id"],
    optional: ["name", "kind", "status", "place", "quantity", "link"],
    description: "changes an asset, or moves it with its code to another link",
    run: async (ctx, options) => {
      const id = parseId(options);
      const input = parseOptions(changedAsset, options);
      return { asset: await updateAsset(await getContextOf(ctx, "asset", id), id, input) };
    },
  },
  "asset list": {
    required: ["workspace"],
    description: "lists a workspace's assets",
    run: async (ctx, options) => ({ assets: await listAssets(await inWorkspace(ctx, options)) }),
  },
};
