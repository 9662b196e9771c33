import type { Config } from "../../context";
import { SECOND_MS } from "../../lib/time";

const BUDGET_MS = 5 * SECOND_MS;
const DEFAULT_RESOLVER = "https://cloudflare-dns.com/dns-query";
const TXT = 16;
/** A body of strangers may have no end. */
const MAX_MARK_BYTES = 1_000;

/** What the TXT record `_waymark.<host>` must have. */
export const proofRecord = (token: string): string => `waymark=${token}`;

/** The text of a TXT record, which resolvers return in quotation marks, a long one in several parts. */
function textOf(data: unknown): string {
  const parts = String(data).split('"');
  return parts.length === 1 ? String(data) : parts.filter((_, index) => index % 2 === 1).join("");
}

/** Whether the host has the record. Null if the resolver does not answer. */
export async function hasProof(
  { domainResolver }: Pick<Config, "domainResolver">,
  host: string,
  token: string,
): Promise<boolean | null> {
  const url = new URL(domainResolver ?? DEFAULT_RESOLVER);
  url.searchParams.set("name", `_waymark.${host}`);
  url.searchParams.set("type", "TXT");
  try {
    const response = await fetch(url, {
      headers: { Accept: "application/dns-json" },
      signal: AbortSignal.timeout(BUDGET_MS),
    });
    if (!response.ok) return null;
    const { Answer: records } = (await response.json()) as { Answer?: unknown };
    const answers: readonly { type?: unknown; data?: unknown }[] = Array.isArray(records) ? records : [];
    return answers.some(({ type, data }) => type === TXT && textOf(data) === proofRecord(token));
  } catch {
    return null;
  }
}

async function beginningOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk.subarray(0, MAX_MARK_BYTES), { stream: true });
    if (text.length >= MAX_MARK_BYTES) break;
  }
  return text;
}

/** Whether the host answers with the mark of this installation. */
export async function isRouted(
  { installation }: Pick<Config, "installation">,
  host: string,
): Promise<boolean> {
  try {
    const response = await fetch(`https://${host}/.well-known/waymark`, {
      redirect: "manual",
      signal: AbortSignal.timeout(BUDGET_MS),
    });
    return (
      response.ok &&
      (JSON.parse(await beginningOf(response)) as { installation?: unknown }).installation === installation
    );
  } catch {
    return false;
  }
}
