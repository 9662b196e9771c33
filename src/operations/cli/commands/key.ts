import { z } from "zod";
import { createApiKey, listApiKeys, revokeApiKeyAnywhere, revokeApiKeyByText } from "../../../access/keys";
import { rotateApiKey } from "../../../access/rotate-key";
import { newApiKey, rotatedApiKey } from "../../../access/schema";
import { text } from "../../../lib/validation";
import { type Commands, command, idOption, NO_OPTIONS, oneOf, workspaceCommand } from "./command";

export const keyCommands: Commands = {
  "key create": workspaceCommand("creates an API key and shows it once", newApiKey, (ctx, input) =>
    createApiKey(ctx, input),
  ),
  "key list": workspaceCommand("lists a workspace's keys", NO_OPTIONS, async (ctx) => ({
    keys: await listApiKeys(ctx),
  })),
  "key rotate": workspaceCommand(
    "creates a key that replaces another; the old one ends after the overlap",
    idOption.extend(rotatedApiKey.shape),
    (ctx, { id, ...input }) => rotateApiKey(ctx, id, input),
  ),
  "key revoke": command(
    "revokes a key by its id or its text; its next request is refused",
    z.object({ id: text(26).optional(), key: text(120).optional() }),
    async (ctx, given) => {
      const named = oneOf(given, ["id", "key"]);
      return given.key === undefined ? revokeApiKeyAnywhere(ctx, named) : revokeApiKeyByText(ctx, named);
    },
  ),
};
