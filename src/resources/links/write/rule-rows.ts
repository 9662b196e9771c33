import { sql } from "drizzle-orm";
import type { Config } from "../../../context";
import type { Statement } from "../../../db/client";
import { type BoundList, fromList, inList, listed } from "../../../db/list";
import { orm, prepared } from "../../../db/prepared";
import { linkRules, links } from "../../../db/schema/links";
import { destinationHost } from "../../../lib/destination";
import { readRules } from "../../../lib/rules";
import { checkedHost, type HostChecks } from "../../destinations/resolver";
import type { LinkChange } from "./state";

const deleteRules = prepared((workspaceId: number, ids: BoundList) =>
  orm.run(sql`delete from ${linkRules} where workspace_id = ${workspaceId} and link_id in ${inList(ids)}`),
);

const insertRules = prepared((workspaceId: number, rules: BoundList) =>
  orm.run(sql`insert into ${linkRules} (workspace_id, link_id, position, destination_url, destination_host, host_check, check_at)
      select ${links.workspace_id}, ${links.id}, ${listed(1)}, ${listed(2)}, ${listed(3)}, ${listed(4)}, ${listed(5)}
      from ${fromList(rules)} cross join ${links}
      where ${links.public_id} = ${listed(0)} and +${links.workspace_id} = ${workspaceId}`),
);

/** Replaces the rows of changed rules. `hostChecks` has what the resolver said of hosts; the others are asked later. */
export function ruleStatements(
  workspaceId: number,
  changes: readonly LinkChange[],
  hostChecks: HostChecks,
  { config, at }: { config: Pick<Config, "resolver">; at: number },
): Statement[] {
  const changed = changes.filter(({ was, will }) => (was?.rules ?? null) !== (will?.rules ?? null));
  const outdated = changed.flatMap(({ was }) => (was === undefined || was.rules === null ? [] : [was.id]));
  const rows = changed.flatMap(({ will }) =>
    readRules(will?.rules ?? null).map(({ destination_url: url }, position) => {
      const host = destinationHost(url);
      const { hostCheck, checkAt } = checkedHost(config, hostChecks.get(host), at);
      // Without a resolver they wait for one. A blocked host is not asked again.
      const dueAt = hostCheck === "blocked" ? null : (checkAt ?? at);
      return [will?.public_id ?? "", position, url, host, hostCheck, dueAt];
    }),
  );
  return [
    ...(outdated.length === 0 ? [] : [deleteRules(workspaceId, outdated)]),
    ...(rows.length === 0 ? [] : [insertRules(workspaceId, rows)]),
  ];
}
