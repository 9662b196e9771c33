import { z } from "zod";
import { text, trimmed, wholeNumber } from "../../lib/validation";
import { ASSET_STATUSES } from "./asset-status";

export const ASSET_KINDS = ["poster", "flyer", "packaging", "signage", "other"] as const;
const MAX_QUANTITY = 100_000_000;
export const MAX_ASSETS_OF_LINK = 200;

export const newAsset = z.object({
  name: text(100),
  link: text(64),
  kind: z.enum(ASSET_KINDS).nullish(),
  status: z.enum(ASSET_STATUSES).nullish(),
  place: text(200).nullish(),
  quantity: wholeNumber(1, MAX_QUANTITY).nullish(),
});

export const listedAsset = newAsset.pick({ name: true, place: true, quantity: true });

export const newAssets = newAsset.pick({ link: true, kind: true, status: true }).extend({
  assets: z
    .array(
      z.preprocess(
        (value) => (typeof value === "object" && value !== null ? trimmed(value) : value),
        listedAsset,
      ),
    )
    .min(1)
    .max(MAX_ASSETS_OF_LINK),
});

export const changedAsset = newAsset.partial({ name: true, link: true }).extend({
  kind: z.enum(ASSET_KINDS).optional(),
  status: z.enum(ASSET_STATUSES).optional(),
});

/** As many as a page of the list has, and as a form may change. */
export const MAX_CHANGED_ASSETS = 100;

export const changedAssets = z.object({
  ids: z
    .array(text(26))
    .min(1, "Choose at least one poster.")
    .max(MAX_CHANGED_ASSETS, `Choose at most ${MAX_CHANGED_ASSETS} posters.`),
  status: z.enum(["live", "retired"]).optional(),
  link: newAsset.shape.link.optional(),
});

export type ChangedAssets = z.output<typeof changedAssets>;

const ASSET_SORTS = ["name", "place", "newest"] as const;

export const listAssetsQuery = z.object({
  status: z.enum(ASSET_STATUSES).optional(),
  q: z.string().max(200).optional(),
  place: z.string().max(200).optional(),
  group: z.string().max(26).optional(),
  unscanned: z.literal("1").optional(),
  ended: z.literal("1").optional(),
  /** Only assets that were scanned after the end of their link, or after they were retired. */
  after_end: z.literal("1").optional(),
  sort: z.enum(ASSET_SORTS).optional(),
  page: wholeNumber(1).optional(),
});

export type NewAsset = z.output<typeof newAsset>;
export type ListedAsset = z.output<typeof listedAsset>;
export type NewAssets = z.output<typeof newAssets>;
export type ChangedAsset = z.output<typeof changedAsset>;
export type ListAssets = z.output<typeof listAssetsQuery>;
