import { sql } from "drizzle-orm";
import type { Config } from "../../../context";
import { type BoundList, fromList, inList, listed, listedAs } from "../../../db/bound-list";
import type { Statement } from "../../../db/client";
import { orm, prepared } from "../../../db/prepared";
import { activityGroupItems, linkRules, links } from "../../../db/schema/links";
import { linkTags } from "../../../db/schema/tags";
import { destinationHost } from "../../../lib/destination";
import { readRules } from "../../../lib/visitor-rules";
import { checkedHost, type HostChecks } from "../../destinations/hosts";
import { asInteger, insertSearchRows, SEARCH_TABLE, toSearchRowId } from "../search-table";
import { hasOtherSearchText, isArchived, type LinkChange, tagDifference } from "./link-state";

// Rows that follow from a link: those of its tags, assignments, rules and searched texts. All run after the statements of the links'
// own rows.

// The tags of links. Each row copies the link's status and id, by which a tag's lists are sorted.

const attach = prepared((workspaceId: number, pairs: BoundList) => {
  const pair = listedAs("link", "tag");
  return orm.run(sql`insert into ${linkTags} (workspace_id, link_id, tag_id, link_archived, link_public_id)
        select ${links.workspace_id}, ${links.id}, ${pair.tag}, ${links.archived}, ${links.public_id}
        from ${fromList(pairs)} cross join ${links}
        where ${links.public_id} = ${pair.link} and +${links.workspace_id} = ${workspaceId}`);
});

const detach = prepared((workspaceId: number, pairs: BoundList) =>
  orm.run(
    sql`delete from ${linkTags} where (link_id, tag_id) in ${inList(pairs, 2)} and +workspace_id = ${workspaceId}`,
  ),
);

const setStatus = prepared((workspaceId: number, ids: BoundList, archived: number) =>
  orm.run(sql`update ${linkTags} set link_archived = ${archived}
        where link_id in ${inList(ids)} and +workspace_id = ${workspaceId}`),
);

const moved = (changes: readonly LinkChange[], archived: boolean): number[] =>
  changes.flatMap(({ was, will }) => {
    const isMoved = was && will && isArchived(was) !== archived && isArchived(will) === archived;
    return isMoved && was.tags.length > 0 ? [was.id] : [];
  });

export function tagStatements(workspaceId: number, changes: readonly LinkChange[]): Statement[] {
  const attached: [link: string, tag: number][] = [];
  const detached: [link: number, tag: number][] = [];
  for (const change of changes) {
    const { added, removed } = tagDifference(change);
    for (const tag of added) attached.push([change.will?.public_id ?? "", tag]);
    for (const { id, rows = [id] } of change.was?.tags ?? [])
      if (removed.includes(id))
        detached.push(...rows.map((row): [number, number] => [change.was?.id ?? 0, row]));
  }
  const archived = moved(changes, true);
  const active = moved(changes, false);
  return [
    ...(detached.length === 0 ? [] : [detach(workspaceId, detached)]),
    ...(archived.length === 0 ? [] : [setStatus(workspaceId, archived, 1)]),
    ...(active.length === 0 ? [] : [setStatus(workspaceId, active, 0)]),
    ...(attached.length === 0 ? [] : [attach(workspaceId, attached)]),
  ];
}

// The history of a link's Activity Groups. The open item with role `primary` is the current assignment.

const endItems = prepared((workspaceId: number, ids: BoundList, at: number) =>
  orm.run(sql`update ${activityGroupItems} set ended_at = ${at}
    where workspace_id = ${workspaceId} and link_id in ${inList(ids)} and role = 'primary' and ended_at is null`),
);

const beginItems = prepared((workspaceId: number, publicIds: BoundList, at: number) =>
  orm.run(sql`insert into ${activityGroupItems} (workspace_id, link_id, activity_group_id, role, started_at, visits_before)
        select ${links.workspace_id}, ${links.id}, ${links.activity_group_id}, 'primary', ${at}, ${links.visits}
        from ${fromList(publicIds)} cross join ${links}
        where ${links.public_id} = ${listed()} and +${links.workspace_id} = ${workspaceId}`),
);

export function assignmentStatements(
  workspaceId: number,
  changes: readonly LinkChange[],
  at: number,
): Statement[] {
  const ended: number[] = [];
  const begun: string[] = [];
  for (const { was, will } of changes) {
    const before = was?.group.id ?? null;
    const after = will?.group.id ?? null;
    if (was !== undefined && before !== null && before !== after) ended.push(was.id);
    if (will !== undefined && after !== null && before !== after) begun.push(will.public_id);
  }
  return [
    ...(ended.length === 0 ? [] : [endItems(workspaceId, ended, at)]),
    ...(begun.length === 0 ? [] : [beginItems(workspaceId, begun, at)]),
  ];
}

const deleteRules = prepared((workspaceId: number, ids: BoundList) =>
  orm.run(sql`delete from ${linkRules} where workspace_id = ${workspaceId} and link_id in ${inList(ids)}`),
);

const insertRules = prepared((workspaceId: number, rules: BoundList) => {
  const rule = listedAs("link", "position", "url", "host", "hostCheck", "checkAt");
  return orm.run(sql`insert into ${linkRules} (workspace_id, link_id, position, destination_url, destination_host, host_check, check_at)
      select ${links.workspace_id}, ${links.id}, ${rule.position}, ${rule.url}, ${rule.host}, ${rule.hostCheck}, ${rule.checkAt}
      from ${fromList(rules)} cross join ${links}
      where ${links.public_id} = ${rule.link} and +${links.workspace_id} = ${workspaceId}`);
});

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

const deleteSearchRows = prepared((workspaceId: number, rows: BoundList) =>
  orm.run(sql`delete from ${SEARCH_TABLE} where rowid in
        (select ${toSearchRowId(asInteger(workspaceId), asInteger(listed(1)), asInteger(listed(0)))} from ${fromList(rows)})`),
);

const index = prepared((workspaceId: number, ids: BoundList) =>
  orm.run(
    insertSearchRows(sql`${fromList(ids)} cross join ${links}
          where ${links.public_id} = ${listed()} and +${links.workspace_id} = ${workspaceId}`),
  ),
);

export function moveSearchRows(workspaceId: number, changes: readonly LinkChange[]): Statement[] {
  const moved = changes.filter(({ was, will }) => !was || !will || hasOtherSearchText(was, will));
  // A row of the same status is replaced.
  const removed = moved.flatMap(({ was, will }) =>
    was === undefined || (will !== undefined && isArchived(was) === isArchived(will))
      ? []
      : [[was.id, isArchived(was) ? 1 : 0]],
  );
  const added = moved.flatMap(({ will }) => (will === undefined ? [] : [will.public_id]));
  return [
    ...(removed.length === 0 ? [] : [deleteSearchRows(workspaceId, removed)]),
    ...(added.length === 0 ? [] : [index(workspaceId, added)]),
  ];
}
