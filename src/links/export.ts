import type { Context } from "../context";
import { BYTE_ORDER_MARK, csvLines, joinNames } from "../lib/csv";
import { toLink } from "./link";
import { type LinkRow, linksAfter, oldSlugsAfter } from "./repository";

const LINKS_A_READ = 500;

export const EXPORTED = [
  "slug",
  "old_slugs",
  "short_url",
  "destination_url",
  "title",
  "channel",
  "status",
  "utm_source",
  "utm_medium",
  "utm_campaign",
  "utm_campaign_origin",
  "activity_group",
  "tags",
  "created_at",
] as const;

const toCells = (
  row: LinkRow,
  oldSlugs: readonly string[],
  shortBaseUrl: string,
): Record<(typeof EXPORTED)[number], string | null> => {
  const link = toLink(row, shortBaseUrl);
  return {
    ...link,
    old_slugs: oldSlugs.join(" "),
    utm_campaign_origin: row.utm_campaign_origin,
    activity_group: link.activity_group?.slug ?? null,
    tags: joinNames(link.tags.map(({ name }) => name)),
  };
};

/** Every link of the workspace as CSV, in the order of their creation, a part at a time. */
export async function* exportLinks(ctx: Context): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLines([EXPORTED]);
  let after = "";
  for (;;) {
    const [rows, old] = await ctx.db.read(
      linksAfter(ctx.workspace.rowId, after, LINKS_A_READ),
      oldSlugsAfter(ctx.workspace.rowId, after, LINKS_A_READ),
    );
    const oldOf = Map.groupBy(old, ({ link }) => link);
    yield csvLines(
      rows.map((row) => {
        const slugs = (oldOf.get(row.id) ?? []).map(({ key }) => key);
        const cells = toCells(row, slugs, ctx.config.shortBaseUrl);
        return EXPORTED.map((column) => cells[column]);
      }),
    );
    const last = rows.at(-1);
    if (last === undefined || rows.length < LINKS_A_READ) return;
    after = last.public_id;
  }
}
