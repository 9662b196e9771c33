import { destinationProblem } from "./destination";
import type { DestinationReason } from "./destination-rules";

/** Problems of an address whose host is a public name all the same. They are said of the address with its scheme. */
const SAID_LATER: ReadonlySet<DestinationReason> = new Set(["shortener", "address_in_name", "homograph"]);

/**
 * An address as a person types it, with `https://` where the scheme is missing: `example.com/a` becomes
 * `https://example.com/a`. A text that does not begin with a public host name stays as it is.
 */
export function supplyScheme(typed: string): string {
  const text = typed.trim();
  if (/^https?:/i.test(text)) return text;
  const candidate = `https://${text.replace(/^\/\//, "")}`;
  const problem = destinationProblem(candidate);
  return problem === undefined || SAID_LATER.has(problem.reason) ? candidate : text;
}
