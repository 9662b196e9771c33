import type { Config, ServiceContext } from "../context";
import { HOUR_MS, SECOND_MS } from "../lib/time";
import { withTimeout } from "../lib/with-timeout";
import { logLine } from "../log";
import { deleteSentMailsBefore, insertSentMail, selectSentMail } from "./session-repository";
import { createSignInLink } from "./sessions";
import { signInUrl } from "./token";

const SEND_MS = 10 * SECOND_MS;
/** To one address, of those that people cause: invitations and sign-in links. */
const MAX_MAILS_AN_HOUR = 5;

interface Mail {
  to: string;
  subject: string;
  text: string;
  /** Where a POST stops such mails. */
  stopUrl?: string;
}

/** Sends a mail of plain text. False if the service did not take it, which is logged. */
export async function sendMail({ binding, from }: NonNullable<Config["mail"]>, { stopUrl, ...mail }: Mail) {
  const headers = {
    "List-Unsubscribe": `<${stopUrl}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  };
  try {
    // A line break would begin another header.
    if (/\p{Cc}/u.test(mail.to + mail.subject)) throw new Error("A header has a control character.");
    // The service refuses the header with an address that is not https.
    const isStoppable = stopUrl?.startsWith("https:") === true;
    await withTimeout(binding.send({ from, ...mail, ...(isStoppable ? { headers } : {}) }), SEND_MS);
    return true;
  } catch (error) {
    // An error's message may hold the address.
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    logLine("mail_not_sent", { outcome: /^E_[A-Z_]{1,40}$/.test(code) ? code : "failed" });
    return false;
  }
}

/** Sends a mail to a member, unless the address has had as many as it may. */
export async function sendLimited(
  { db, config, now, meter }: Pick<ServiceContext, "db" | "config" | "now" | "meter">,
  to: string,
  compose: () => Promise<Omit<Mail, "to">>,
): Promise<boolean> {
  const at = now();
  if (config.mail === null) return false;
  const since = at - HOUR_MS;
  // A random id says whose the row is, also if the answer was lost.
  const id = Math.floor(Math.random() * Number.MAX_SAFE_INTEGER);
  const [recorded] = await db.writeGuarded(
    [deleteSentMailsBefore(since), insertSentMail(id, to, at, since, MAX_MAILS_AN_HOUR)],
    selectSentMail(id),
  );
  if (recorded.length === 0) return false;
  if (meter !== undefined) meter.mails++;
  return sendMail(config.mail, { to, ...(await compose()) });
}

/** Sends a sign-in link to the address if it is a member's. The caller learns nothing. */
export async function mailSignInLink(ctx: ServiceContext, email: string): Promise<void> {
  await sendLimited(ctx, email, async () => {
    const { token } = await createSignInLink(ctx, email);
    return {
      subject: "Your sign-in link",
      text: `This link signs you in at ${ctx.config.baseUrl}. It works once, within 15 minutes:

${signInUrl(ctx.config.baseUrl, token)}

Somebody asked for it with your address. If that was not you, ignore this mail: without the link nobody gets in.
`,
    };
  });
}
