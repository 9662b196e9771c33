import type { Context } from "../context";
import { channelsInUse } from "./write/totals";

const MOST_CHANNELS = 200;

/** The channels that the workspace's links have, to choose from: the first 200. */
export async function listChannels(ctx: Context): Promise<string[]> {
  const [rows] = await ctx.db.read(channelsInUse(ctx.workspace.rowId, MOST_CHANNELS));
  return rows.map(({ channel }) => channel);
}
