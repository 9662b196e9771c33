import { z } from "zod";
import { between, isoMoment, plainSlug, text, wholeNumber } from "../lib/validation";

const MAX_LINK_LIMIT = 100_000_000;

export const newWorkspace = z.object({
  name: text(100),
  slug: plainSlug(),
  link_limit: wholeNumber(0, MAX_LINK_LIMIT, between(0, MAX_LINK_LIMIT)).nullish(),
});

/** What owners change of their workspace; its slug and limit are the operator's. */
export const renamedWorkspace = newWorkspace.pick({ name: true });

export const ROLES = ["owner", "editor", "viewer"] as const;

/** Some text, an @, and some more text. */
const EMAIL = /^[^\s@<>"(),:;\\[\]]+@[^\s@<>"(),:;\\[\]]+$/u;

/** Whether a dot stands inside the host. An address that does not exist signs nobody in. */
const hasDottedHost = (address: string): boolean => address.slice(address.indexOf("@") + 2, -1).includes(".");

/** An e-mail address in lower case: a person is told by it. */
export const email = () =>
  text(254)
    .regex(EMAIL, "The email field must be a valid email address.")
    // Letters that only look like others would make one person another.
    .refine(
      (value) => value.normalize("NFKC") === value && hasDottedHost(value),
      "The email field must be a valid email address.",
    )
    .transform((value) => value.toLowerCase());

export const newMember = z.object({ email: email(), role: z.enum(ROLES) });

export const changedRole = newMember.pick({ role: true });

export const newApiKey = z.object({
  name: text(100),
  access: z.enum(["full", "read"]).nullish(),
  expires_at: isoMoment().nullish(),
});

const MAX_OVERLAP_HOURS = 30 * 24;

export const rotatedApiKey = z.object({
  /** For how long the old key goes on working. */
  overlap_hours: wholeNumber(0, MAX_OVERLAP_HOURS, between(0, MAX_OVERLAP_HOURS)),
  expires_at: isoMoment().nullish(),
});
