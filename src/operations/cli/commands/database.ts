import { z } from "zod";
import { text } from "../../../lib/validation";
import { cacheStatus } from "../../../redirect/slugs/status";
import { buildSearchIndex, dropSearchIndex } from "../../../resources/links/build-search-index";
import { type DoctorReport, recountWorkspaces } from "../../consistency/service";
import { backUp, restore } from "../backup";
import { createDemo } from "../demo";
import { toDoctorText } from "../doctor-text";
import { type Commands, parseOptions } from "./options";

const backupOption = z.object({ out: text(4096), workspace: text(120).optional() });
const restoreOption = z.object({ from: text(4096), workspace: text(120).optional() });

export const databaseCommands: Commands = {
  "cache status": {
    required: [],
    description: "counts the slugs that are still to be written to KV, and says since when",
    run: async (ctx) => ({ cache: await cacheStatus(ctx) }),
  },
  "search-index drop": {
    required: [],
    description: "drops the search index, so that wrangler can export D1; search still works, more slowly",
    run: async (ctx) => ({ search_index: await dropSearchIndex(ctx) }),
  },
  "search-index build": {
    required: [],
    description: "rebuilds the search index",
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
    description: "restores a backup, or one workspace from it; overwrites no workspace; a repeat continues",
    run: async (ctx, options) => {
      const { from, workspace } = parseOptions(restoreOption, options);
      return { restore: await restore(ctx, from, workspace ?? undefined) };
    },
  },
  doctor: {
    required: [],
    description:
      "recounts the totals of workspaces, tags, groups and channels, repairs what is wrong, and counts clicks that wait",
    run: async (ctx) => ({ doctor: await recountWorkspaces(ctx) }),
    toText: ({ doctor }: { doctor: DoctorReport }) => toDoctorText(doctor),
  },
  demo: {
    required: [],
    description: "creates the demo workspace unless it exists",
    run: (ctx) => createDemo(ctx),
  },
};
