import type { Config } from "../../context";
import { isObject } from "../../lib/json";
import { SECOND_MS } from "../../lib/time";
import { askForJson, askResolver } from "../destinations/outside";

const BUDGET_MS = 5 * SECOND_MS;
const DEFAULT_RESOLVER = "https://cloudflare-dns.com/dns-query";
const TXT = 16;
const MAX_MARK_BYTES = 1_000;

export const proofRecord = (token: string): string => `waymark=${token}`;

/** The text of a TXT record, which resolvers return in quotation marks, a long one in several parts. */
function textOf(data: unknown): string {
  const parts = String(data).split('"');
  return parts.length === 1 ? String(data) : parts.filter((_, index) => index % 2 === 1).join("");
}

export async function hasProof(
  { domainResolver }: Pick<Config, "domainResolver">,
  host: string,
  token: string,
): Promise<boolean | null> {
  try {
    const answer = await askResolver(
      domainResolver ?? DEFAULT_RESOLVER,
      `_waymark.${host}`,
      "TXT",
      BUDGET_MS,
    );
    const records: readonly unknown[] =
      isObject(answer) && Array.isArray(answer["Answer"]) ? answer["Answer"] : [];
    return records.some(
      (record) => isObject(record) && record["type"] === TXT && textOf(record["data"]) === proofRecord(token),
    );
  } catch {
    return null;
  }
}

export async function isRouted({ installation }: Pick<Config, "installation">, host: string) {
  try {
    const mark = await askForJson(`https://${host}/.well-known/waymark`, {
      maxMs: BUDGET_MS,
      maxBytes: MAX_MARK_BYTES,
    });
    return isObject(mark) && mark["installation"] === installation;
  } catch {
    return false;
  }
}
