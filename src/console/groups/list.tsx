import type { Hono } from "hono";
import { type GroupOverview, listGroupOverviews } from "../../activity-groups/overview";
import { GROUP_TYPES, listActivityGroupsQuery } from "../../activity-groups/schema";
import { GROUP_STATUSES } from "../../lib/group-status";
import type { Page } from "../../lib/paging";
import { href, paths } from "../href";
import { Field, Select } from "../shell/form";
import { showPage } from "../shell/layout";
import { Pager } from "../shell/pager";
import { type ConsoleEnv, readQuery } from "../shell/request";
import { Badge, Empty, number, words } from "../shell/text";
import { Dates } from "./dates";

const query = listActivityGroupsQuery.pick({ q: true, type: true, status: true, page: true, after: true });

const Groups = ({ workspace, groups }: { workspace: string; groups: readonly GroupOverview[] }) => (
  <table class="list">
    <caption class="unseen">Activity Groups</caption>
    <thead>
      <tr>
        <th scope="col">Name</th>
        <th scope="col">Status</th>
        <th scope="col">Type</th>
        <th scope="col">Dates</th>
        <th scope="col" class="number">
          Links
        </th>
      </tr>
    </thead>
    <tbody>
      {groups.map((group) => (
        <tr>
          <th scope="row">
            <a href={href.group(workspace, group.id)}>{group.name}</a>
            <div class="soft small">{group.slug}</div>
          </th>
          <td data-label="Status">
            <Badge of={group.status} />
          </td>
          <td data-label="Type">{words(group.type)}</td>
          <td data-label="Dates">
            <Dates group={group} />
          </td>
          <td data-label="Links" class="number">
            {number(group.links.active)}
            {group.links.archived > 0 && (
              <div class="soft small">and {number(group.links.archived)} archived</div>
            )}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

export function registerGroupList(app: Hono<ConsoleEnv>): void {
  app.get(paths.groups, async (c) => {
    const given = readQuery(query, c);
    const { q, type, status } = given;
    const found: Page<GroupOverview> = await listGroupOverviews(c.var.ctx, { ...given, per_page: 25 });
    const { items, meta, nextAfter } = found;
    const workspace = c.var.membership.workspace.slug;
    const isEditor = c.var.membership.role !== "viewer";
    const isFiltered = q !== undefined || type !== undefined || status !== undefined;
    const turn = (page: number, after: string | null) =>
      href.groups(workspace, { q, type, status, page, after });
    const create = (
      <a class="button primary" href={href.newGroup(workspace)}>
        New Activity Group
      </a>
    );
    return showPage(
      c,
      { title: "Activity Groups", section: "groups", actions: isEditor && create },
      <>
        {(meta.total > 0 || isFiltered) && (
          <search>
            <form method="get" action={href.groups(workspace)} class="filters">
              <Field label="Search" name="q" type="search" value={q} />
              <Select
                label="Type"
                name="type"
                none="Every type"
                value={type}
                options={GROUP_TYPES.map((one) => [one, words(one)] as const)}
              />
              <Select
                label="Status"
                name="status"
                none="Every status"
                value={status}
                options={GROUP_STATUSES.map((one) => [one, words(one)] as const)}
              />
              <div class="row">
                <button type="submit">Search</button>
                {isFiltered && <a href={href.groups(workspace)}>Show all</a>}
              </div>
            </form>
          </search>
        )}
        {items.length > 0 ? (
          <Groups workspace={workspace} groups={items} />
        ) : (
          <Empty>
            {meta.total > 0 ? (
              <p>
                There is nothing on this page. <a href={turn(1, null)}>Go to the first one.</a>
              </p>
            ) : isFiltered ? (
              <p>
                No Activity Group is like that. <a href={href.groups(workspace)}>Show all of them.</a>
              </p>
            ) : (
              <>
                <p>
                  An Activity Group holds the links of a campaign, an event or a project together: it gives
                  them its UTM campaign and counts their clicks.
                </p>
                {isEditor ? create : <p>Nobody has made one yet.</p>}
              </>
            )}
          </Empty>
        )}
        {meta.total > 0 && (
          <Pager
            meta={meta}
            of={meta.total === 1 ? "Activity Group" : "Activity Groups"}
            previous={
              meta.current_page > 1 ? turn(Math.min(meta.current_page - 1, meta.last_page), null) : undefined
            }
            next={nextAfter === null ? undefined : turn(meta.current_page + 1, nextAfter)}
          />
        )}
      </>,
    );
  });
}
