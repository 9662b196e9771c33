import type { Context } from "../context";
import { selectChannels } from "./write/totals";

const MAX_CHANNELS = 200;

/** The channels that the workspace's links have, to choose from: the first 200. */
export async function listChannels(ctx: Context): Promise<string[]> {
  const [rows] = await ctx.db.read(selectChannels(ctx.workspace.rowId, MAX_CHANNELS));
  return rows.map(({ channel }) => channel);
}
