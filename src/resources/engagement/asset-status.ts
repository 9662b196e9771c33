export const ASSET_STATUSES = ["draft", "live", "retired"] as const;
export type AssetStatus = (typeof ASSET_STATUSES)[number];

/** Allows moves forward along draft, live, retired, and back from retired to live. */
export const isAssetStatusMove = (from: AssetStatus, to: AssetStatus): boolean =>
  ASSET_STATUSES.indexOf(to) >= ASSET_STATUSES.indexOf(from) || (from === "retired" && to === "live");
