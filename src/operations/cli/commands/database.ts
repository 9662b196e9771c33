import { z } from "zod";
import { text } from "../../../lib/validation";
import { cacheStatus } from "../../../redirect/slugs/status";
import { buildSearchIndex, dropSearchIndex } from "../../../resources/links/build-search-index";
import { recountWorkspaces } from "../../consistency/service";
import { backUp, restore } from "../backup";
import { createDemo } from "../demo";
import { type Commands, command, NO_OPTIONS } from "./command";

const workspace = text(120).optional();

export const databaseCommands: Commands = {
  "cache status": command(
    "counts the slugs that are still to be written to KV, and says since when",
    NO_OPTIONS,
    async (ctx) => ({ cache: await cacheStatus(ctx) }),
  ),
  "search-index drop": command(
    "drops the search index, so that wrangler can export D1; search still works, more slowly",
    NO_OPTIONS,
    async (ctx) => ({ search_index: await dropSearchIndex(ctx) }),
  ),
  "search-index build": command("rebuilds the search index", NO_OPTIONS, async (ctx) => ({
    search_index: await buildSearchIndex(ctx),
  })),
  backup: command(
    "writes everything, or one workspace, to a file that `restore` reads",
    z.object({ out: text(4096), workspace }),
    async (ctx, { out, workspace }) => ({ backup: await backUp(ctx, out, workspace) }),
  ),
  restore: command(
    "restores a backup, or one workspace from it; overwrites no workspace; a repeat continues",
    z.object({ from: text(4096), workspace }),
    async (ctx, { from, workspace }) => ({ restore: await restore(ctx, from, workspace) }),
  ),
  doctor: command(
    "recounts the totals of workspaces, tags, groups and channels, repairs what is wrong, and counts clicks that wait",
    NO_OPTIONS,
    async (ctx) => ({ doctor: await recountWorkspaces(ctx) }),
  ),
  demo: command("creates the demo workspace unless it exists", NO_OPTIONS, (ctx) => createDemo(ctx)),
};
