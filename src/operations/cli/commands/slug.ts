import { z } from "zod";
import { text } from "../../../lib/validation";
import { releaseSlug } from "../../../redirect/slugs/release";
import { type Commands, parseOptions } from "./options";

const releaseOption = z.object({ slug: text(64), workspace: text(120) });

export const slugCommands: Commands = {
  "slug release": {
    required: ["slug", "workspace"],
    description: "gives a slug to another workspace, if it opens nothing and is not taken down",
    run: async (ctx, options) => {
      const { slug, workspace } = parseOptions(releaseOption, options);
      return { slug: await releaseSlug(ctx, slug, workspace) };
    },
  },
};
