import type { Context } from "../../context";
import { destinationHost, destinationProblem } from "../../lib/destination";
import type { Failure } from "../../lib/failure";
import { selectRefusedHosts } from "../destinations/destination-statements";
import { checkedHost, checkHosts, hostProblem, toRefusedHosts } from "../destinations/hosts";
import type { Resolved } from "./write/next-state";

/** Of new destinations. The schedule asks the resolver about further hosts. */
const MAX_HOSTS_ASKED = 5;

interface CheckedDestination {
  /** What the resolver says of its host. */
  found: Pick<Resolved, "hostCheck" | "checkAt">;
  /** Why no link may lead there; undefined if one may. */
  refusal: Failure | undefined;
}

/** What refuses hosts, of which the resolver is asked about a few. At most one call of D1. */
export async function findRefusedHosts(ctx: Context, hosts: readonly string[]) {
  const [[rows], checks] = await Promise.all([
    ctx.db.read(hosts.length === 0 ? undefined : selectRefusedHosts(hosts)),
    checkHosts(ctx.config, hosts.slice(0, MAX_HOSTS_ASKED)),
  ]);
  return toRefusedHosts(rows, checks);
}

/** Checks the new destinations of many links by all rules of destinations. At most one call of D1. */
export async function checkDestinations(
  ctx: Context,
  urls: Iterable<string>,
): Promise<Map<string, CheckedDestination>> {
  const problems = new Map([...new Set(urls)].map((url) => [url, destinationProblem(url)] as const));
  const possible = [...problems].flatMap(([url, problem]) => (problem === undefined ? [url] : []));
  const hosts = [...new Set(possible.map(destinationHost))];
  const refused = await findRefusedHosts(ctx, hosts);
  const at = ctx.now();
  return new Map(
    [...problems].map(([url, problem]): [string, CheckedDestination] => {
      if (problem !== undefined) return [url, { found: {}, refusal: problem }];
      const refusal = hostProblem(ctx, "destination_url", url, refused);
      return [url, { found: checkedHost(ctx.config, refused.checks.get(destinationHost(url)), at), refusal }];
    }),
  );
}
