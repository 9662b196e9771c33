import type { Context } from "../../context";
import { selectChannels } from "./used-values-repository";

const MAX_CHANNELS = 200;

/** The channels in use, up to 200. */
export async function listChannels(ctx: Context): Promise<string[]> {
  const [rows] = await ctx.db.read(selectChannels(ctx.workspace.rowId, MAX_CHANNELS));
  return rows.map(({ channel }) => channel);
}
