import { z } from "zod";
import { createApiKey, listApiKeys, revokeApiKeyAnywhere, revokeApiKeyByText } from "../../../access/keys";
import { rotateApiKey } from "../../../access/rotate-key";
import { newApiKey, rotatedApiKey } from "../../../access/schema";
import { text } from "../../../lib/validation";
import { type Commands, inWorkspace, parseEither, parseId, parseOptions } from "./options";

const leakedKey = z.object({ id: text(26).optional(), key: text(120).optional() });

export const keyCommands: Commands = {
  "key create": {
    required: ["workspace", "name"],
    optional: ["access", "expires-at"],
    description: "creates an API key and shows it once",
    run: async (ctx, options) =>
      createApiKey(await inWorkspace(ctx, options), parseOptions(newApiKey, options)),
  },
  "key list": {
    required: ["workspace"],
    description: "lists a workspace's keys",
    run: async (ctx, options) => ({ keys: await listApiKeys(await inWorkspace(ctx, options)) }),
  },
  "key rotate": {
    required: ["workspace", "id", "overlap-hours"],
    optional: ["expires-at"],
    description: "creates a key that replaces another; the old one ends after the overlap",
    run: async (ctx, options) =>
      rotateApiKey(await inWorkspace(ctx, options), parseId(options), parseOptions(rotatedApiKey, options)),
  },
  "key revoke": {
    required: [],
    optional: ["id", "key"],
    description: "revokes a key by its id or its text; its next request is refused",
    run: async (ctx, options) =>
      options["key"] === undefined
        ? revokeApiKeyAnywhere(ctx, parseEither(leakedKey, options))
        : revokeApiKeyByText(ctx, parseEither(leakedKey, options)),
  },
};
