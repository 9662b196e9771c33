import { z } from "zod";
import { examine } from "../../doctor/service";
import { text } from "../../lib/validation";
import { buildSearchIndex, dropSearchIndex } from "../../links/search-index";
import { cacheStatus } from "../../slugs/status";
import { backUp, restore } from "../backup";
import { createDemo } from "../demo";
import { type Commands, parseOptions } from "./options";

const backupOption = z.object({ out: text(4096), workspace: text(120).optional() });
const restoreOption = z.object({ from: text(4096), workspace: text(120).optional() });

export const databaseCommands: Commands = {
  "cache status": {
    required: [],
    description: "says how many slugs KV still has to be told of, and since when",
    run: async (ctx) => ({ cache: await cacheStatus(ctx) }),
  },
  "search-index drop": {
    required: [],
    description: "drops the search index, so that D1 can be exported; search goes on, more slowly",
    run: async (ctx) => ({ search_index: await dropSearchIndex(ctx) }),
  },
  "search-index build": {
    required: [],
    description: "builds the search index anew",
    run: async (ctx) => ({ search_index: await buildSearchIndex(ctx) }),
  },
  backup: {
    required: ["out"],
    optional: ["workspace"],
    description: "writes everything, or one workspace, to a file that `restore` reads",
    run: async (ctx, options) => {
      const { out, workspace } = parseOptions(backupOption, options);
      return { backup: await backUp(ctx, out, workspace ?? undefined) };
    },
  },
  restore: {
    required: ["from"],
    optional: ["workspace"],
    description:
      "restores a backup, or one workspace of it, where there is none of the same; again, it goes on",
    run: async (ctx, options) => {
      const { from, workspace } = parseOptions(restoreOption, options);
      return { restore: await restore(ctx, from, workspace ?? undefined) };
    },
  },
  doctor: {
    required: [],
    description:
      "counts again what workspaces, tags, groups and channels keep, looks at takedowns, and repairs what is wrong",
    run: async (ctx) => ({ doctor: await examine(ctx) }),
  },
  demo: {
    required: [],
    description: "makes the demo workspace where there is none",
    run: (ctx) => createDemo(ctx),
  },
};
