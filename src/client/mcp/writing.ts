import type { WriteOptions } from "../api/resources";
import { createInput, oneLinkSchema, setTagsInput, updateInput } from "./schemas";
import { oneLink, type Tool, tool } from "./tool";

/** What is overwritten is gone, and a repeated change changes nothing more. */
const OVERWRITES = { destructiveHint: true, idempotentHint: true };
const ADDS = { destructiveHint: false, idempotentHint: false };

const guardedBy = (etag: string | undefined): WriteOptions => (etag === undefined ? {} : { ifMatch: etag });

/** The tools that need a key with full access. */
export const WRITING_TOOLS: readonly Tool[] = [
  tool({
    name: "create_link",
    title: "Create a link",
    description:
      "Creates a short link. Look with find_links first whether there is one already. A slug stays with the workspace for ever, so choose it with care. Tags and Activity Groups must exist (list_labels). The link inherits utm_campaign from its group if you give none.",
    input: createInput,
    output: oneLinkSchema,
    writes: ADDS,
    run: async (client, input) => oneLink(await client.links.create(input)),
  }),
  tool({
    name: "update_link",
    title: "Change a link",
    description:
      "Changes the given fields of one link. Omitted fields stay, null clears. A new slug is a rename: the old one keeps redirecting. A new destination_url takes effect within minutes, for printed codes too. Tags are changed with set_tags. If it answers status 412, read the link again.",
    input: updateInput,
    output: oneLinkSchema,
    writes: OVERWRITES,
    run: async (client, { id, etag, ...changes }) =>
      oneLink(await client.links.update(id, changes, guardedBy(etag))),
  }),
  tool({
    name: "set_tags",
    title: "Set the tags of a link",
    description:
      "Replaces all tags of one link. To add a tag, send the tags that the link has, and the new one. The tags must exist (list_labels).",
    input: setTagsInput,
    output: oneLinkSchema,
    writes: OVERWRITES,
    run: async (client, { id, etag, tag_names: names }) =>
      oneLink(await client.links.setTags(id, names, guardedBy(etag))),
  }),
];
