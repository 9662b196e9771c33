import { z } from "zod";
import { applyBeforeReport } from "../../analytics/queue";
import { visitsOf } from "../../analytics/time-series";
import { toRange } from "../../lib/range";
import { type GroupOverview, getGroupOverview } from "../../resources/activity-groups/group-service";
import { listAllActivityGroups } from "../../resources/activity-groups/manage-groups";
import { BarChart } from "../clicks/bar-chart";
import { UNIT_NAMES, writtenDays } from "../clicks/dates";
import { RangePicker, rangeParameters, readRange, type ShownRange, showRange } from "../clicks/range";
import { hasVisits, TOO_MANY_FOR_GROUP, VisitChart, VisitStats } from "../clicks/visit-figures";
import { TopLinks } from "../links/visited";
import { Choice } from "../shell/button";
import { here, href } from "../shell/href";
import { Page } from "../shell/layout";
import { type PageContext, readQuery } from "../shell/page-request";
import { Picker, toOptions } from "../shell/picker";
import { HiddenFields, Submit } from "../shell/post-form";
import { NameLink } from "../shell/text";
import { campaignDays } from "./group-dates";
import { ChannelShares, type GroupReport, readGroupFigures } from "./group-figures";

const query = z.object({ with: z.string().max(26).optional(), since: z.literal("start").optional() });

const TITLE = "Clicks and scans of both";

/** The range from the start of a group, or its creation, to its end or today; null before its start. */
function sinceStart(group: GroupOverview, { range: { zones }, now }: ShownRange): ShownRange | null {
  const days = campaignDays(group, zones, now);
  return days === undefined ? null : showRange(toRange(days, zones, now, 0), 0, now, false);
}

interface Side extends GroupReport {
  group: GroupOverview;
  shown: ShownRange;
}

const SideFigures = ({ group, visits, present, channels, shown }: Side) => (
  <section class="stack" aria-label={group.name}>
    <h2>
      <NameLink to={here.group(group.id, rangeParameters(shown))} name={group.name} />
    </h2>
    <p class="soft">{writtenDays(shown.range)}</p>
    <div class="card">
      <VisitStats report={visits} shown={shown} />
    </div>
    {present === null ? (
      <p class="warning">{TOO_MANY_FOR_GROUP}</p>
    ) : (
      <>
        {channels !== null && (
          <div class="card">
            <ChannelShares channels={channels} />
          </div>
        )}
        <TopLinks
          title="Top links"
          links={present.list.links}
          whole={present.list.whole}
          hrefOf={here.link}
        />
      </>
    )}
  </section>
);

/** The visits of both, by date or by the day since each start. Nothing without visits, or if one is by day and the other by week. */
const BothChart = ({ sides }: { sides: readonly Side[] }) => {
  const [first, second] = sides.map(({ shown }) => shown);
  if (first === undefined || first.range.unit !== second?.range.unit) return null;
  if (!sides.some(({ visits }) => hasVisits(visits))) return null;
  const { unit } = first.range;
  const length = Math.max(...sides.map(({ visits }) => visits.points.length));
  const names = Array.from({ length }, (_, index) => `${UNIT_NAMES[unit].heading} ${index + 1}`);
  const series = sides.map(({ group, visits }, colour) => ({
    label: group.name,
    colour,
    values: names.map((_, index) => visitsOf(visits.points[index] ?? { clicks: 0, scans: 0, after_end: 0 })),
  }));
  return (
    <section class="card" aria-label={TITLE}>
      {first === second ? (
        <VisitChart shown={first} title={TITLE} series={series} before={null} />
      ) : (
        <BarChart title={TITLE} names={names} series={series} ticks={[]} unit={unit} />
      )}
    </section>
  );
};

export async function showComparison(c: PageContext): Promise<Response> {
  const { ctx, workspace } = c.var;
  const id = c.req.param("id");
  const { with: other, since } = readQuery(query, c);
  const shown = readRange(c, ctx.workspace.createdAt, { compares: false });
  const ids = other === undefined || other.toUpperCase() === id.toUpperCase() ? [id] : [id, other];
  const [all, groups] = await Promise.all([
    listAllActivityGroups(ctx),
    Promise.all(ids.map((one) => getGroupOverview(ctx, one))),
    applyBeforeReport(ctx),
  ]);
  const sides = await Promise.all(
    groups.map(async (group) => {
      const range = since === undefined ? shown : sinceStart(group, shown);
      const report = range && { group, shown: range, ...(await readGroupFigures(ctx, group.id, range)) };
      return { group, report };
    }),
  );
  const [first] = groups;
  const kept = { with: other, ...rangeParameters(shown) };
  return c.render(
    <Page
      title="Compare two groups"
      section="groups"
      crumbs={["groups", { label: first?.name ?? "", href: href.group(workspace, id) }]}
      actions={groups.length === 2 && since === undefined && <RangePicker shown={shown} />}
      class="stack"
    >
      <form method="get" action={href.compareGroup(workspace, id)} class="card search">
        <HiddenFields fields={{ ...rangeParameters(shown), since }} />
        <Picker
          name="with"
          label="Compare with"
          none="Choose a group"
          value={groups[1]?.id}
          options={toOptions(all.filter((one) => one.id !== first?.id))}
          required
        />
        <Submit label="Compare" />
      </form>
      {groups.length === 2 && (
        <>
          <ul class="choices">
            <Choice href={href.compareGroup(workspace, id, kept)} isCurrent={since === undefined}>
              In the same dates
            </Choice>
            <Choice
              href={href.compareGroup(workspace, id, { ...kept, since: "start" })}
              isCurrent={since !== undefined}
            >
              Each since its start
            </Choice>
          </ul>
          <BothChart sides={sides.flatMap(({ report }) => report ?? [])} />
          <div class="columns even">
            {sides.map(({ group, report }) =>
              report === null ? (
                <p class="warning">
                  <bdi>{group.name}</bdi> has no days with figures: it has not started, or ended before the
                  figures that are kept.
                </p>
              ) : (
                <SideFigures {...report} />
              ),
            )}
          </div>
        </>
      )}
    </Page>,
  );
}
