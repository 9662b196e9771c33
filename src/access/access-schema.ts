import { z } from "zod";
import { normaliseHost } from "../lib/destination";
import { isoMoment, refusedBy, text, wholeNumber } from "../lib/validation";

export const ROLES = ["owner", "editor", "viewer"] as const;

const EMAIL = /^[^\s@<>"(),:;\\[\]]+@[^\s@<>"(),:;\\[\]]+$/u;

/** Nobody sees them, so two addresses would look alike: invisible characters, and those that turn the direction of text. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u2800]/u;

/** Whether nothing of the address is unseen, and its host is a name with a dot as DNS has them. */
function isPlain(address: string): boolean {
  const host = address.slice(address.indexOf("@") + 1);
  return !UNSEEN.test(address) && !host.endsWith(".") && normaliseHost(host) !== undefined;
}

/** An e-mail address, converted to lower case because it identifies a person. */
export const email = () =>
  text(254)
    .refine(
      // NFKC maps look-alike letters to others, so two addresses could become one person.
      (value) => EMAIL.test(value) && value.normalize("NFKC") === value && isPlain(value),
      refusedBy("must be a valid email address"),
    )
    .transform((value) => value.toLowerCase());

export const newMember = z.object({ email: email(), name: text(100).nullish(), role: z.enum(ROLES) });

export const memberName = newMember.pick({ name: true });

export const changedRole = newMember.pick({ role: true });

export const KEY_ACCESSES = ["full", "read"] as const;

export const newApiKey = z.object({
  name: text(100),
  access: z.enum(KEY_ACCESSES).nullish(),
  expires_at: isoMoment().nullish(),
});

const MAX_OVERLAP_HOURS = 30 * 24;

export const rotatedApiKey = z.object({
  overlap_hours: wholeNumber(0, MAX_OVERLAP_HOURS),
  expires_at: isoMoment().nullish(),
});
