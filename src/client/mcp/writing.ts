import * as z from "zod";
import { eachField } from "../../lib/link-fields";
import { orDone } from "../api/http";
import type { Link, Waymark } from "../api/wire-types";
import { assertNotOwned, findTags } from "../find-links";
import { type Input, LINK_INPUTS } from "../link-inputs";
import { nullable, oneLink, oneLinkSchema, rulesSchema, type Tool, text, tool } from "./tool";

/** What is overwritten is gone, and a repeated change changes nothing more. */
const OVERWRITES = { destructiveHint: true, idempotentHint: true };
const ADDS = { destructiveHint: false, idempotentHint: false };

const CHANGED = {
  id: text("The link's id, from find_links or get_link"),
  etag: text("The etag that you read. The change is refused if the link has changed since").exactOptional(),
  force: z.boolean().exactOptional().describe("Also change a link that has an owner. Ask the person first"),
};

/** A link has at most 50 tags. The service counts, because it merges duplicates. */
const tagNames = (description: string) => z.array(z.string()).describe(description);

/** The service names an unknown tag by its place in the list, which says nothing of its spelling. */
const namingTags = (client: Waymark, names: readonly string[] | undefined, write: () => Promise<Link>) =>
  orDone(write, async ({ errors }) => {
    if (Object.keys(errors).some((field) => field.startsWith("tag_names."))) await findTags(client, names);
    return undefined;
  });

function about(name: keyof typeof LINK_INPUTS, ...more: string[]): string {
  const { summary, details }: Input = LINK_INPUTS[name];
  return [summary, ...(details === undefined ? [] : [details]), ...more].join(". ");
}

/** The tools that need a key with full access. */
export const WRITING_TOOLS: readonly Tool[] = [
  tool({
    name: "create_link",
    title: "Create a link",
    description:
      "Creates a short link. Look with find_links first whether there is one already. A slug stays with the workspace for ever, so choose it with care. Tags and Activity Groups must exist (list_labels). The link inherits utm_campaign from its group if you give none.",
    input: z.strictObject({
      ...eachField(LINK_INPUTS, (name) => text(about(name)).exactOptional()),
      destination_url: text(about("destination_url")),
      rules: rulesSchema.exactOptional(),
      tag_names: tagNames("Names of existing tags, at most 50").exactOptional(),
    }),
    output: oneLinkSchema,
    writes: ADDS,
    run: async (client, input) =>
      oneLink(await namingTags(client, input.tag_names, () => client.links.create(input))),
  }),
  tool({
    name: "update_link",
    title: "Change a link",
    description:
      "Changes the given fields of one link. Omitted fields stay, null clears. A new slug is a rename: the old one keeps redirecting. A new destination_url takes effect within minutes, for printed codes too. Tags are changed with set_tags. If it answers status 412, read the link again.",
    input: z.strictObject({
      ...CHANGED,
      ...eachField(LINK_INPUTS, (name) => nullable(about(name, "null clears it")).exactOptional()),
      destination_url: text(about("destination_url")).exactOptional(),
      rules: rulesSchema
        .nullable()
        .exactOptional()
        .describe("As in create_link. null or [] removes all rules"),
      slug: text(about("slug", "The old slug keeps redirecting")).exactOptional(),
      domain: text(about("domain", "The previous short URL keeps redirecting")).exactOptional(),
      status: z.enum(["active", "archived"]).exactOptional().describe("An archived link still redirects"),
      utm_campaign: nullable("utm_campaign. null goes back to the group's default").exactOptional(),
    }),
    output: oneLinkSchema,
    writes: OVERWRITES,
    async run(client, { id, etag, force, ...changes }) {
      if (!force) assertNotOwned(await client.links.get(id), "set force");
      return oneLink(await client.links.update(id, changes, { ifMatch: etag }));
    },
  }),
  tool({
    name: "set_tags",
    title: "Set the tags of a link",
    description:
      "Replaces all tags of one link. To add a tag, send the tags that the link has, and the new one. The tags must exist (list_labels).",
    input: z.strictObject({
      ...CHANGED,
      tag_names: tagNames("The full set: names of existing tags, at most 50. [] takes all off"),
    }),
    output: oneLinkSchema,
    writes: OVERWRITES,
    async run(client, { id, etag, force, tag_names: names }) {
      if (!force) assertNotOwned(await client.links.get(id), "set force");
      return oneLink(
        await namingTags(client, names, () => client.links.setTags(id, names, { ifMatch: etag })),
      );
    },
  }),
];
