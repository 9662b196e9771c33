import { z } from "zod";
import { text } from "../../../lib/validation";
import { listBrokenLinks } from "../../../resources/destinations/health";
import { endTakedown, takeDown } from "../../moderation/takedown";
import { importFile } from "../import";
import { toPlainText } from "../plain";
import { type Commands, inWorkspace, parseEither, parseOptions } from "./options";

const reportedLink = z.object({ id: text(26).optional(), slug: text(64).optional() });
const brokenOption = z.object({ workspace: text(120).optional() });
const importOption = z.object({ from: text(4096), id: text(64).optional() });

const HOW_TO_ASK =
  'Destinations are asked only with DESTINATION_HEALTH_CHECK = "on": set it in wrangler.toml and run `npm run deploy`.\n';

export const linkCommands: Commands = {
  "link takedown": {
    required: [],
    optional: ["id", "slug"],
    description: "takes a link down; its visitors see a page that says so",
    run: async (ctx, options) => ({ link: await takeDown(ctx, parseEither(reportedLink, options)) }),
  },
  "link restore": {
    required: [],
    optional: ["id", "slug"],
    description: "ends the takedown of a link, or of a slug whose link is deleted",
    run: async (ctx, options) => {
      const restored = await endTakedown(ctx, parseEither(reportedLink, options));
      return "id" in restored ? { link: restored } : { slug: restored };
    },
  },
  "link broken": {
    required: [],
    optional: ["workspace"],
    description: "lists the links whose destination is broken, in all workspaces or in one",
    run: async (ctx, options) => {
      const { workspace } = parseOptions(brokenOption, options);
      const { links, has_more: hasMore } = await listBrokenLinks(ctx, workspace ?? undefined);
      return {
        broken_links: links,
        ...(hasMore && { has_more: true }),
        ...(!ctx.config.healthCheck && { health_check: "off" }),
      };
    },
    toText: (result) => `${toPlainText(result)}${"health_check" in result ? HOW_TO_ASK : ""}`,
  },
  import: {
    required: ["workspace", "from"],
    optional: ["id"],
    description:
      "creates links from a file of JSON lines in the API's format; a repeat creates no link twice",
    run: async (ctx, options) => {
      const { from, id } = parseOptions(importOption, options);
      return { import: await importFile(await inWorkspace(ctx, options), from, id) };
    },
  },
};
