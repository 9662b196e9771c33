import { z } from "zod";
import { text } from "../../../lib/validation";
import { listBrokenLinks } from "../../../resources/destinations/health";
import { endTakedown, takeDown } from "../../moderation/takedown";
import { importFile } from "../import";
import { toPlainText } from "../plain";
import { type Commands, command, oneOf, workspaceCommand } from "./command";

const reportedLink = z.object({ id: text(26).optional(), slug: text(64).optional() });

const HOW_TO_ASK =
  'Destinations are asked only with DESTINATION_HEALTH_CHECK = "on": set it in wrangler.toml and run `npm run deploy`.\n';

export const linkCommands: Commands = {
  "link takedown": command(
    "takes a link down; its visitors see a page that says so",
    reportedLink,
    async (ctx, given) => ({ link: await takeDown(ctx, oneOf(given, ["id", "slug"])) }),
  ),
  "link restore": command(
    "ends the takedown of a link, or of a slug whose link is deleted",
    reportedLink,
    async (ctx, given) => {
      const restored = await endTakedown(ctx, oneOf(given, ["id", "slug"]));
      return "id" in restored ? { link: restored } : { slug: restored };
    },
  ),
  "link broken": {
    ...command(
      "lists the links whose destination is broken, in all workspaces or in one",
      z.object({ workspace: text(120).optional() }),
      async (ctx, { workspace }) => {
        const { links, has_more: hasMore } = await listBrokenLinks(ctx, workspace);
        return {
          broken_links: links,
          ...(hasMore && { has_more: true }),
          ...(!ctx.config.healthCheck && { health_check: "off" }),
        };
      },
    ),
    toText: (result) => `${toPlainText(result)}${"health_check" in result ? HOW_TO_ASK : ""}`,
  },
  import: workspaceCommand(
    "creates links from a file of JSON lines in the API's format; a repeat creates no link twice",
    z.object({ from: text(4096), id: text(64).optional() }),
    async (ctx, { from, id }) => ({ import: await importFile(ctx, from, id) }),
  ),
};
