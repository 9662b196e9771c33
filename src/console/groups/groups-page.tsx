import { z } from "@hono/zod-openapi";
import { applyBeforeReport } from "../../analytics/queue";
import { sumVisits } from "../../analytics/visits-by-owner";
import { GROUP_STATUSES, GROUP_TYPES } from "../../lib/group-status";
import { toRange } from "../../lib/range";
import { listActivityGroupsQuery } from "../../resources/activity-groups/group-schema";
import { listGroups } from "../../resources/activity-groups/group-service";
import { ButtonLink } from "../shell/button";
import { href } from "../shell/href";
import { Page } from "../shell/layout";
import { NoSuchPage, Pager, SearchField } from "../shell/list-controls";
import { type PageContext, readQuery } from "../shell/page-request";
import { Select } from "../shell/post-form";
import { Table } from "../shell/table";
import { Empty, inWords, number, words } from "../shell/text";
import { Dates, StatusWithDates } from "./group-dates";

const query = listActivityGroupsQuery
  .pick({ q: true, type: true, status: true, page: true, after: true })
  .extend({ past_end: z.literal("1").optional() });

const TYPES = inWords(GROUP_TYPES);
const STATUSES = inWords(GROUP_STATUSES);

export async function showGroups(c: PageContext): Promise<Response> {
  const given = readQuery(query, c);
  const { q, type, status, past_end } = given;
  const { ctx, workspace, isEditor } = c.var;
  const range = toRange({ last: "30" }, ctx.workspace.zones, ctx.now(), ctx.workspace.createdAt);
  const pastEnd = past_end === undefined ? undefined : ctx.now();
  const [{ items, meta, nextAfter }] = await Promise.all([
    listGroups(ctx, { ...given, per_page: 25, pastEnd }),
    applyBeforeReport(ctx),
  ]);
  const ids = items.map(({ id }) => id);
  const visits = await sumVisits(ctx, "group", ids, range);
  const isFiltered = (q ?? type ?? status ?? past_end) !== undefined;
  const create = <ButtonLink to={href.newGroup(workspace)} label="New group" icon="plus" isPrimary />;
  return c.render(
    <Page title="Groups" section="groups" actions={isEditor && create}>
      {(meta.total > 0 || isFiltered) && (
        <search>
          <form method="get" action={href.groups(workspace)} class="filters">
            <SearchField label="Search" value={q} />
            <Select label="Type" name="type" none="Every type" value={type} options={TYPES} />
            <Select label="Status" name="status" none="Every status" value={status} options={STATUSES} />
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
        <Table
          caption="Groups"
          rows={items}
          columns={[
            {
              heading: "Name",
              isName: true,
              cell: ({ id, name, slug }) => (
                <>
                  <a href={href.group(workspace, id)}>{name}</a>
                  <div class="soft small spare">{slug}</div>
                </>
              ),
            },
            { heading: "Status", cell: (group) => <StatusWithDates group={group} /> },
            { heading: "Type", kind: "nowrap", cell: ({ type }) => words(type) },
            {
              heading: "Dates",
              cell: (group) => (group.starts_at ?? group.ends_at) !== null && <Dates group={group} />,
            },
            {
              heading: "Links",
              kind: "number",
              cell: ({ links: { active, archived } }) => (
                <>
                  {number(active + archived)}
                  {archived > 0 && <span class="soft small"> ({number(archived)} archived)</span>}
                </>
              ),
            },
            {
              heading: "Visits, 30 days",
              kind: "number",
              cell: ({ id }) => number(visits.get(id) ?? 0),
            },
          ]}
        />
      ) : meta.total > 0 ? (
        <NoSuchPage meta={meta} />
      ) : isFiltered ? (
        <Empty>
          <p>
            No groups match. <a href={href.groups(workspace)}>Show all.</a>
          </p>
        </Empty>
      ) : (
        <Empty text="A group holds the links of a campaign, an event or a project together: it gives them its UTM campaign and counts their clicks.">
          {isEditor ? create : <p>There are none yet.</p>}
        </Empty>
      )}
      {meta.total > 0 && <Pager meta={meta} of="group" after={nextAfter ?? undefined} />}
    </Page>,
  );
}
