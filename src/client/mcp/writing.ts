import type { McpServer } from "@modelcontextprotocol/server";
import type { Waymark, WriteOptions } from "../api/resources";
import { answering, given, toLinkResult } from "./result";
import { createInput, oneLinkSchema, setTagsInput, updateInput } from "./schemas";

/** What is overwritten is gone, and a repeated change changes nothing more. */
const OVERWRITES = { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false };
const ADDS = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false };

const guardedBy = (etag: string | undefined): WriteOptions => (etag === undefined ? {} : { ifMatch: etag });

/** The tools that need a key with full access. */
export function addWritingTools(server: McpServer, client: Waymark): void {
  server.registerTool(
    "create_link",
    {
      title: "Create a link",
      description:
        "Creates a short link. Look with find_links first whether there is one already. A slug stays with the workspace for ever, so choose it with care. Tags and Activity Groups must exist (list_labels). The link inherits utm_campaign from its group if you give none.",
      inputSchema: createInput,
      outputSchema: oneLinkSchema,
      annotations: ADDS,
    },
    (input) => answering(async () => toLinkResult(await client.links.create(given(input)))),
  );

  server.registerTool(
    "update_link",
    {
      title: "Change a link",
      description:
        "Changes the given fields of one link. Omitted fields stay, null clears. A new slug is a rename: the old one keeps redirecting. A new destination_url takes effect within minutes, for printed codes too. Tags are changed with set_tags. If it answers status 412, read the link again.",
      inputSchema: updateInput,
      outputSchema: oneLinkSchema,
      annotations: OVERWRITES,
    },
    ({ id, etag, ...changes }) =>
      answering(async () => toLinkResult(await client.links.update(id, given(changes), guardedBy(etag)))),
  );

  server.registerTool(
    "set_tags",
    {
      title: "Set the tags of a link",
      description:
        "Replaces all tags of one link. To add a tag, send the tags that the link has, and the new one. The tags must exist (list_labels).",
      inputSchema: setTagsInput,
      outputSchema: oneLinkSchema,
      annotations: OVERWRITES,
    },
    ({ id, etag, tag_names: names }) =>
      answering(async () => toLinkResult(await client.links.setTags(id, names, guardedBy(etag)))),
  );
}
