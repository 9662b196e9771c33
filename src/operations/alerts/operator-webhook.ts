import type { Config } from "../../context";
import { isLoopback } from "../../resources/destinations/outside";
import { importSecret, type Webhook } from "../../resources/events/webhook";

/** The URL in a variable. Throws what is wrong with it, without its value. */
export function parseSecretUrl(variable: "ALERT_WEBHOOK" | "HEARTBEAT_URL", text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isLocal = url?.protocol === "http:" && isLoopback(url.hostname);
  if (url === undefined || (url.protocol !== "https:" && !isLocal)) {
    throw new Error(`${variable} is not a URL that begins with https://.`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new Error(`${variable} contains a user name or a password, which cannot be sent.`);
  }
  return url;
}

/** Parses the variables. Throws what is wrong with one, without its value. */
export async function openWebhook(address: string, secret: Config["alertSecret"]): Promise<Webhook> {
  const { href: url } = parseSecretUrl("ALERT_WEBHOOK", address);
  if (secret === null) return { url, key: null };
  const key = await importSecret(secret);
  if (key === undefined) {
    throw new Error('ALERT_SECRET is not "whsec_" and the base64 of 24 to 64 bytes.');
  }
  return { url, key };
}
