import { z } from "zod";
import { ASSET_STATUSES } from "../lib/asset-status";
import { atLeast, between, text, wholeNumber } from "../lib/validation";

export const ASSET_KINDS = ["poster", "flyer", "packaging", "signage", "other"] as const;
const MAX_QUANTITY = 100_000_000;

const place = () => text(200).nullish();
const quantity = () => wholeNumber(1, MAX_QUANTITY, between(1, MAX_QUANTITY)).nullish();

export const newAsset = z.object({
  name: text(100),
  /** The link's id, or a slug that opens it. */
  link: text(64),
  kind: z.enum(ASSET_KINDS).nullish(),
  status: z.enum(ASSET_STATUSES).nullish(),
  place: place(),
  quantity: quantity(),
});

export const changedAsset = z.object({
  name: text(100).optional(),
  kind: z.enum(ASSET_KINDS).optional(),
  status: z.enum(ASSET_STATUSES).optional(),
  place: place(),
  quantity: quantity(),
});

export const listAssetsQuery = z.object({
  status: z.enum(ASSET_STATUSES).optional(),
  page: wholeNumber(1, Number.MAX_SAFE_INTEGER, atLeast(1)).optional(),
});

export type NewAsset = z.output<typeof newAsset>;
export type ChangedAsset = z.output<typeof changedAsset>;
export type ListAssets = z.output<typeof listAssetsQuery>;
