import type { Context } from "../../context";
import { readPair } from "../../lib/target";
import { type CampaignRow, selectChannels, selectNewestCampaigns } from "./used-values-repository";

const NEWEST_LINKS = 200;
const MAX_VALUES = 20;
const MAX_CHANNELS = 200;

/** The channels in use, up to 200. */
export async function listChannels(ctx: Context): Promise<string[]> {
  const [rows] = await ctx.db.read(selectChannels(ctx.workspace.rowId, MAX_CHANNELS));
  return rows.map(({ channel }) => channel);
}

export type UsedValues = Readonly<
  Record<"utm_source" | "utm_medium" | "utm_campaign" | "utm_term" | "utm_content", readonly string[]>
>;

/** The UTM values of the newest 200 links, up to 20 of each parameter, the latest first. */
export async function listUsedValues(ctx: Context): Promise<UsedValues> {
  const [rows] = await ctx.db.read(selectNewestCampaigns(ctx.workspace.rowId, NEWEST_LINKS));
  const distinct = (read: (row: CampaignRow) => string | null): string[] =>
    [...new Set(rows.flatMap((row) => read(row) || []))].slice(0, MAX_VALUES);
  return {
    utm_source: distinct((row) => row.utm_source),
    utm_medium: distinct((row) => row.utm_medium),
    utm_campaign: distinct((row) => row.utm_campaign),
    utm_term: distinct((row) => readPair(row.destination_url, "utm_term")),
    utm_content: distinct((row) => readPair(row.destination_url, "utm_content")),
  };
}
