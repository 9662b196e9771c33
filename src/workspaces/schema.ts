import { z } from "zod";
import { between, isoMoment, plainSlug, text, wholeNumber } from "../lib/validation";

const MOST_LINKS = 100_000_000;

export const newWorkspace = z.object({
  name: text(100),
  slug: plainSlug(),
  link_limit: wholeNumber(0, MOST_LINKS, between(0, MOST_LINKS)).nullish(),
});

export const newApiKey = z.object({
  name: text(100),
  access: z.enum(["full", "read"]).nullish(),
  expires_at: isoMoment().nullish(),
});
