import { z } from "zod";
import { applyBeforeReport } from "../../analytics/queue";
import { MAX_RANKED_GROUPS } from "../../analytics/report-limits";
import { sumVisits } from "../../analytics/visits-by-owner";
import { GROUP_STATUSES, GROUP_TYPES } from "../../lib/group-status";
import { toRange } from "../../lib/range";
import { listActivityGroupsQuery } from "../../resources/activity-groups/group-schema";
import {
  type ListedGroup,
  listGroups,
  MAX_SORTED_GROUPS,
} from "../../resources/activity-groups/group-service";
import { ButtonLink } from "../shell/button";
import { here, href } from "../shell/href";
import { Page } from "../shell/layout";
import { NoSuchPage, Pager, SearchField } from "../shell/list-controls";
import { type PageContext, readQuery } from "../shell/page-request";
import { Select } from "../shell/post-form";
import { sortable, Table } from "../shell/table";
import { count, Empty, inWords, number, words } from "../shell/text";
import { Dates, StatusWithDates } from "./group-dates";
import { GROUP_SORTS, type GroupSort, sortGroups } from "./group-order";

const SORTS = Object.keys(GROUP_SORTS) as [GroupSort, ...GroupSort[]];

/** Without a status, all groups but the archived ones. */
const query = listActivityGroupsQuery.pick({ q: true, type: true, page: true, after: true }).extend({
  status: z.enum([...GROUP_STATUSES, "all"]).optional(),
  sort: z.enum(SORTS).default("status"),
  past_end: z.literal("1").optional(),
});

const TYPES = inWords(GROUP_TYPES);
const STATUSES = [...inWords(GROUP_STATUSES), ["all", "Every status"]] as const;

/** The orders of so many groups; none of more than are sorted. */
const sortsOf = (total: number): readonly GroupSort[] =>
  total > MAX_SORTED_GROUPS ? [] : SORTS.filter((sort) => sort !== "-visits" || total <= MAX_RANKED_GROUPS);

/** Its headings sort it in the orders that it has. */
const GroupTable = ({
  groups,
  visits,
  sort,
  sorts,
}: {
  groups: readonly ListedGroup[];
  visits: ReadonlyMap<string, number>;
  sort: GroupSort;
  sorts: readonly GroupSort[];
}) => {
  const heading = (label: string, by: GroupSort, reversed = by) =>
    sorts.includes(by) ? { ...sortable(label, sort, by, reversed), label } : { heading: label };
  return (
    <Table
      caption="Groups"
      rows={groups}
      columns={[
        {
          ...(sorts.includes("name") ? sortable("Name", sort, "name") : { heading: "Name" }),
          isName: true,
          cell: ({ id, name, slug }) => (
            <>
              <a href={here.group(id)}>{name}</a>
              <div class="soft small spare">{slug}</div>
            </>
          ),
        },
        { ...heading("Status", "status"), cell: (group) => <StatusWithDates group={group} /> },
        { heading: "Type", kind: "nowrap", cell: ({ type }) => words(type) },
        {
          ...heading("Dates", "-starts_at", "starts_at"),
          cell: (group) => (group.starts_at ?? group.ends_at) !== null && <Dates group={group} />,
        },
        {
          ...heading("Links", "-links"),
          kind: "number",
          cell: ({ links: { active, archived } }) => (
            <>
              {number(active)}
              {archived > 0 && <span class="soft small">, {number(archived)} archived</span>}
            </>
          ),
        },
        {
          ...heading("Visits, 30 days", "-visits"),
          kind: "number",
          cell: ({ id }) => number(visits.get(id) ?? 0),
        },
      ]}
    />
  );
};

export async function showGroups(c: PageContext): Promise<Response> {
  const { status, past_end, sort: asked, ...given } = readQuery(query, c);
  const { q, type } = given;
  const { ctx, workspace, isEditor } = c.var;
  const range = toRange({ last: "30" }, ctx.workspace.zones, ctx.now(), ctx.workspace.createdAt);
  const sumOf = (groups: readonly ListedGroup[]) =>
    sumVisits(
      ctx,
      "group",
      groups.map(({ id }) => id),
      range,
    );
  const listed = {
    ...{ ...given, per_page: 25 },
    status: status === "all" ? undefined : status,
    // The groups past their end are open.
    isOpen: (status ?? past_end) === undefined,
    pastEnd: past_end === undefined ? undefined : ctx.now(),
  };
  const sortFor = (total: number): GroupSort => (sortsOf(total).includes(asked) ? asked : "status");
  const applying = applyBeforeReport(ctx);
  const [{ items, meta, nextAfter, archived }] = await Promise.all([
    listGroups(ctx, listed, async (groups) => {
      const sort = sortFor(groups.length);
      // Only this order needs the visits of all.
      if (sort !== "-visits") return sortGroups(groups, sort, () => 0);
      await applying;
      const visits = await sumOf(groups);
      return sortGroups(groups, sort, (id) => visits.get(id) ?? 0);
    }),
    applying,
  ]);
  const visits = await sumOf(items);
  const isFiltered = (q ?? type ?? status ?? past_end) !== undefined;
  const [sort, sorts] = [sortFor(meta.total), sortsOf(meta.total)];
  const toArchived = href.groups(workspace, { q, type, status: "archived" });
  const create = <ButtonLink to={href.newGroup(workspace)} label="New group" icon="plus" isPrimary />;
  return c.render(
    <Page title="Groups" section="groups" actions={isEditor && create}>
      {(meta.total + archived > 0 || isFiltered) && (
        <search>
          <form method="get" action={href.groups(workspace)} class="filters">
            <SearchField label="Search" value={q} />
            <Select label="Type" name="type" none="Every type" value={type} options={TYPES} />
            <Select label="Status" name="status" none="Not archived" value={status} options={STATUSES} />
            {sorts.length > 0 && (
              <Select
                label="Order"
                name="sort"
                value={sort}
                options={sorts.map((by) => [by, GROUP_SORTS[by]])}
              />
            )}
            {past_end !== undefined && (
              <p>
                <input type="hidden" name="past_end" value={past_end} />
                Only groups that are past their end.
              </p>
            )}
            <div class="row">
              <button type="submit">Search</button>
              {isFiltered && <a href={href.groups(workspace)}>Show all</a>}
            </div>
          </form>
        </search>
      )}
      {items.length > 0 ? (
        <GroupTable groups={items} visits={visits} sort={sort} sorts={sorts} />
      ) : meta.total > 0 ? (
        <NoSuchPage meta={meta} />
      ) : isFiltered ? (
        <Empty>
          <p>
            No groups match.{" "}
            {archived > 0 && <a href={toArchived}>Show {count(archived, "archived group")}.</a>}{" "}
            <a href={href.groups(workspace)}>Show all.</a>
          </p>
        </Empty>
      ) : archived > 0 ? (
        <Empty text="No group is current: all are archived.">
          <p class="row">
            <ButtonLink to={toArchived} label={`Show ${count(archived, "archived group")}`} />
            {isEditor && create}
          </p>
        </Empty>
      ) : (
        <Empty text="A group holds the links of a campaign, an event or a project together: it gives them its UTM campaign and counts their clicks.">
          {isEditor ? create : <p>There are none yet.</p>}
        </Empty>
      )}
      {meta.total > 0 && (
        <Pager
          meta={meta}
          of="group"
          after={nextAfter ?? undefined}
          besides={archived > 0 && <a href={toArchived}>{number(archived)} archived</a>}
        />
      )}
    </Page>,
  );
}
