import { z } from "zod";
import { text } from "../../lib/validation";
import { createApiKey, listApiKeys, revokeApiKeyAnywhere, revokeApiKeyByText } from "../../workspaces/keys";
import { rotateApiKey } from "../../workspaces/rotate-key";
import { newApiKey, rotatedApiKey } from "../../workspaces/schema";
import { type Commands, checked, idIn, inWorkspace, oneOf } from "./options";

const leakedKey = z.object({ id: text(26).optional(), key: text(120).optional() });

export const keyCommands: Commands = {
  "key create": {
    required: ["workspace", "name"],
    optional: ["access", "expires-at"],
    does: "issues an API key, shown this once",
    run: async (ctx, options) => createApiKey(await inWorkspace(ctx, options), checked(newApiKey, options)),
  },
  "key list": {
    required: ["workspace"],
    does: "lists a workspace's keys",
    run: async (ctx, options) => ({ keys: await listApiKeys(await inWorkspace(ctx, options)) }),
  },
  "key rotate": {
    required: ["workspace", "id", "overlap-hours"],
    optional: ["expires-at"],
    does: "issues a key beside another one, which ends after the overlap",
    run: async (ctx, options) =>
      rotateApiKey(await inWorkspace(ctx, options), idIn(options), checked(rotatedApiKey, options)),
  },
  "key revoke": {
    required: [],
    optional: ["id", "key"],
    does: "revokes a key, told by its id or as it leaked, from its next request on",
    run: async (ctx, options) =>
      options["key"] === undefined
        ? revokeApiKeyAnywhere(ctx, oneOf(leakedKey, options))
        : revokeApiKeyByText(ctx, oneOf(leakedKey, options)),
  },
};
