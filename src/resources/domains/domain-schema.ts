import { z } from "@hono/zod-openapi";
import { destination, text } from "../../lib/validation";

export const DOMAIN_STATES = ["pending", "verified", "active"] as const;

export const typedHost = z.object({ host: text(253) });

export const domainAddresses = z.object({
  root_url: destination().nullable(),
  not_found_url: destination().nullable(),
});
