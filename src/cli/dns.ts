import { Resolver } from "node:dns/promises";

const TIMEOUT_MS = 2_000;
/** Codes of a resolver that says that there are no records. Others say nothing of the host. */
const NO_RECORDS = ["ENOTFOUND", "ENODATA"];

type Lookups = Record<"resolve4" | "resolve6", (host: string) => Promise<unknown>>;

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "unknown";

/** Whether a host has addresses. Throws if DNS does not tell. */
export async function hasDnsRecords(
  host: string,
  resolver: Lookups = new Resolver({ timeout: TIMEOUT_MS, tries: 2 }),
): Promise<boolean> {
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  if (answers.some(({ status }) => status === "fulfilled")) return true;
  const codes = answers.flatMap((answer) => (answer.status === "rejected" ? [codeOf(answer.reason)] : []));
  const unclear = codes.find((code) => !NO_RECORDS.includes(code));
  if (unclear === undefined) return false;
  throw new Error(`DNS does not say whether it has any (${unclear})`);
}
