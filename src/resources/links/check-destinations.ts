import type { Context } from "../../context";
import { destinationHost, destinationProblem } from "../../lib/destination";
import { selectRefusedHosts } from "../destinations/destination-statements";
import { checkedHost, checkHosts, hostProblem, toRefusedHosts } from "../destinations/hosts";

/** Of new destinations. The schedule asks the resolver about further hosts. */
const MAX_HOSTS_ASKED = 5;

/** What refuses hosts, of which the resolver is asked about a few. At most one call of D1. */
export async function findRefusedHosts(ctx: Context, hosts: readonly string[]) {
  const [[rows], checks] = await Promise.all([
    ctx.db.read(hosts.length === 0 ? undefined : selectRefusedHosts(hosts)),
    checkHosts(ctx.config, hosts.slice(0, MAX_HOSTS_ASKED)),
  ]);
  return toRefusedHosts(rows, checks);
}

/** What the resolver says of new destinations, and why no link may lead there, if so. At most one call of D1. */
export async function checkDestinations(ctx: Context, urls: Iterable<string>) {
  const problems = new Map([...new Set(urls)].map((url) => [url, destinationProblem(url)] as const));
  const possible = [...problems].flatMap(([url, problem]) => (problem === undefined ? [url] : []));
  const hosts = [...new Set(possible.map(destinationHost))];
  const refused = await findRefusedHosts(ctx, hosts);
  const at = ctx.now();
  return new Map(
    [...problems].map(([url, problem]) => {
      const check = problem === undefined ? refused.checks.get(destinationHost(url)) : undefined;
      const found = checkedHost(ctx.config, check, at);
      return [url, { found, refusal: problem ?? hostProblem(ctx, "destination_url", url, refused) }] as const;
    }),
  );
}
