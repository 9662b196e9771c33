import { z } from "zod";
import { text } from "../../lib/validation";
import { putBack, takeDown } from "../../moderation/takedown";
import { importFile } from "../import";
import { type Commands, inWorkspace, parseEither, parseOptions } from "./options";

const reportedLink = z.object({ id: text(26).optional(), slug: text(64).optional() });
const importOption = z.object({ from: text(4096), id: text(64).optional() });

export const linkCommands: Commands = {
  "link takedown": {
    required: [],
    optional: ["id", "slug"],
    description: "takes a link down: its visitors see a page that says so",
    run: async (ctx, options) => ({ link: await takeDown(ctx, parseEither(reportedLink, options)) }),
  },
  "link restore": {
    required: [],
    optional: ["id", "slug"],
    description: "puts a link that was taken down back into service, or frees a slug whose link is gone",
    run: async (ctx, options) => {
      const restored = await putBack(ctx, parseEither(reportedLink, options));
      return "id" in restored ? { link: restored } : { slug: restored };
    },
  },
  import: {
    required: ["workspace", "from"],
    optional: ["id"],
    description:
      "creates links from a file of JSON lines, each as the API takes it; again, it makes none twice",
    run: async (ctx, options) => {
      const { from, id } = parseOptions(importOption, options);
      return { import: await importFile(await inWorkspace(ctx, options), from, id) };
    },
  },
};
