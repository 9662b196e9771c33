import { z } from "zod";
import { text } from "../lib/validation";

const ASSET_KINDS = ["poster", "flyer", "packaging", "signage", "other"] as const;
const ASSET_STATUSES = ["draft", "live", "retired"] as const;

export const newAsset = z.object({
  name: text(100),
  link: text(26),
  kind: z.enum(ASSET_KINDS).nullish(),
  status: z.enum(ASSET_STATUSES).nullish(),
});

export const changedAsset = z.object({
  name: text(100).optional(),
  kind: z.enum(ASSET_KINDS).optional(),
  status: z.enum(ASSET_STATUSES).optional(),
});
