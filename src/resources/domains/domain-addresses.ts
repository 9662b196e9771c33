import type { Context } from "../../context";
import { changedMeanwhile, retryLostRaces } from "../../errors";
import { assertNone } from "../../field-errors";
import { destinationHost, hostOrNull } from "../../lib/destination";
import { isMatched } from "../../lib/etag";
import { slugKey } from "../../lib/slug-text";
import { writeToKv } from "../../redirect/slugs/kv-writer";
import { markSettings } from "../../redirect/slugs/statements/marks";
import { selectTarget } from "../../redirect/slugs/statements/targets";
import { selectRefusedHosts } from "../destinations/destination-statements";
import { checkHosts, hostProblem, toRefusedHosts } from "../destinations/hosts";
import { updateDomain } from "./domain-repository";
import { type Domain, findDomain, toDomain, writeDomain } from "./domain-service";

type DomainAddresses = Pick<Domain, "root_url" | "not_found_url">;

/** Where `/` and unknown slugs of a domain lead, as the form that changes it shows it. */
export const addressesOfDomain = ({ root_url, not_found_url }: DomainAddresses): DomainAddresses => ({
  root_url,
  not_found_url,
});

/**
 * Sets where `/` and unknown slugs of a domain lead; null for a page. Both obey the rules of destinations. Throws 404, 422, and 412
 * if `If-Match` is not that of the stored addresses.
 */
export async function setDomainAddresses(
  ctx: Context,
  typed: string,
  { root_url: root, not_found_url: notFound }: DomainAddresses,
): Promise<Domain> {
  const workspaceId = ctx.workspace.rowId;
  const hosts = [root, notFound].flatMap((url) => (url === null ? [] : destinationHost(url)));
  const [[rows], checks] = await Promise.all([
    ctx.db.read(selectRefusedHosts(hosts)),
    checkHosts(ctx.config, hosts),
  ]);
  const refused = toRefusedHosts(rows, checks);
  const at = ctx.now();
  return retryLostRaces(async () => {
    const row = await findDomain(ctx, typed);
    if (!(await isMatched(ctx.ifMatch, addressesOfDomain(row)))) throw changedMeanwhile("pair of addresses");
    assertNone([
      root === row.root_url ? undefined : hostProblem(ctx, "root_url", root, refused),
      notFound === row.not_found_url ? undefined : hostProblem(ctx, "not_found_url", notFound, refused),
    ]);
    if (row.root_url === root && row.not_found_url === notFound) return toDomain(row);
    const addresses = {
      root_url: root,
      root_host: hostOrNull(root),
      not_found_url: notFound,
      not_found_host: hostOrNull(notFound),
    };
    const key = slugKey(row.host, "");
    const statements = [updateDomain(workspaceId, row.host, addresses), markSettings(key, workspaceId, at)];
    const before = JSON.stringify(addressesOfDomain(row));
    const change = {
      ...{ action: "domain.change", before },
      change: { root_url: root, not_found_url: notFound },
    };
    const [domain, settings] = await writeDomain(ctx, row, change, statements, selectTarget(key));
    await writeToKv(ctx, settings, at);
    return domain;
  });
}
