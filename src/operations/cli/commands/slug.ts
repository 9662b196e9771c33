import { z } from "zod";
import { text } from "../../../lib/validation";
import { releaseSlug } from "../../../redirect/slugs/release";
import { type Commands, command } from "./command";

export const slugCommands: Commands = {
  "slug release": command(
    "gives a slug to another workspace, if it opens nothing and is not taken down",
    z.object({ slug: text(64), workspace: text(120) }),
    async (ctx, { slug, workspace }) => ({ slug: await releaseSlug(ctx, slug, workspace) }),
  ),
};
