import { z } from "zod";
import { applyBeforeReport } from "../../analytics/queue";
import { visitsOf } from "../../analytics/time-series";
import { DAYS_OF_WEEK, MAX_DAYS_BY_DAY, toDate, toRange } from "../../lib/range";
import { type GroupOverview, getGroupOverview } from "../../resources/activity-groups/group-service";
import { listAllActivityGroups } from "../../resources/activity-groups/manage-groups";
import { BarChart } from "../clicks/bar-chart";
import { isUnfinished, MAX_TICKS, UNIT_NAMES, writtenDays } from "../clicks/dates";
import { RangePicker, rangeParameters, readRange, type ShownRange, showRange } from "../clicks/range";
import { sum } from "../clicks/series";
import { VisitChart } from "../clicks/visit-chart";
import { EarlierZones, hasVisits, TOO_MANY_FOR_GROUP } from "../clicks/visit-figures";
import { TopLinks } from "../links/visited";
import { Choice } from "../shell/button";
import { here, href } from "../shell/href";
import { Page } from "../shell/layout";
import { type PageContext, readQuery } from "../shell/page-request";
import { Picker, toOptions } from "../shell/picker";
import { HiddenFields, Submit } from "../shell/post-form";
import { Empty, number, quoted } from "../shell/text";
import { Against, completeDays, daysOf, type Side } from "./compared-figures";
import { campaignDays } from "./group-dates";
import { readGroupFigures } from "./group-figures";

const query = z.object({ with: z.string().max(26).optional(), since: z.enum(["start", "equal"]).optional() });

const TITLE = "Clicks and scans of both";

/** The range from the start of a group, or its creation, to its end or today; null before its start. */
function sinceStart(group: GroupOverview, { range: { zones }, now }: ShownRange): ShownRange | null {
  const days = campaignDays(group, zones, now);
  return days === undefined ? null : showRange(toRange(days, zones, now, 0), 0, now, false);
}

/** How many days both have had since their starts that are over. */
const commonDays = (starts: readonly (ShownRange | null)[]): number =>
  Math.min(...starts.map((start) => (start === null ? 0 : completeDays(start))));

const firstDays = (shown: ShownRange, days: number): ShownRange => {
  const { range, now } = shown;
  const [from, to] = [toDate(range.firstDay), toDate(range.firstDay + days - 1)];
  return showRange(toRange({ from, to }, range.zones, now, 0), 0, now, false);
};

/** The visits of each day or week since the start, the last of which may not be over. */
function seriesSinceStart(side: Side, perPoint: number) {
  const days = side.visits.days.slice(0, daysOf(side)).map(visitsOf);
  const values = Array.from({ length: Math.ceil(days.length / perPoint) }, (_, index) =>
    sum(days.slice(index * perPoint, (index + 1) * perPoint)),
  );
  return { values, isUnfinished: isUnfinished(side.shown) };
}

/** The visits of both as lines, by date or by the day since each start. */
const BothChart = ({ sides }: { sides: readonly Side[] }) => {
  const [first, second] = sides.map(({ shown }) => shown);
  if (first === undefined || !sides.some(({ visits }) => hasVisits(visits)))
    return <Empty text="Neither of them has clicks or scans on these days." />;
  const named = sides.map(({ group }, colour) => ({ label: group.name, colour }));
  if (first === second || second === undefined) {
    const series = sides.map(({ visits: { points } }, index) => ({
      ...(named[index] ?? { label: "", colour: index }),
      values: points.map(visitsOf),
    }));
    return <VisitChart shown={first} title={TITLE} series={series} before={null} isLines />;
  }
  const isLong = sides.some((side) => daysOf(side) > MAX_DAYS_BY_DAY);
  const unit = isLong ? "week" : "day";
  const series = sides.map((side, index) => ({
    ...(named[index] ?? { label: "", colour: index }),
    ...seriesSinceStart(side, isLong ? DAYS_OF_WEEK : 1),
  }));
  const length = Math.max(...series.map(({ values }) => values.length));
  const names = Array.from({ length }, (_, index) => `${UNIT_NAMES[unit].heading} ${index + 1}`);
  const ticks = names
    .map((label, index) => ({ label, index }))
    .filter(({ index }) => index % Math.ceil(length / MAX_TICKS) === 0);
  return <BarChart title={TITLE} names={names} series={series} ticks={ticks} unit={unit} isLines />;
};

const Figures = ({ sides, isByDate }: { sides: readonly Side[]; isByDate: boolean }) => (
  <section class="card" aria-label={TITLE}>
    {!isByDate && (
      <p class="small soft">
        {sides
          .map(
            ({ group, shown }) =>
              `${quoted(group.name)}: ${writtenDays(shown.range)}${isUnfinished(shown) ? ", today so far" : ""}`,
          )
          .join(" · ")}
      </p>
    )}
    <EarlierZones ranges={sides.map(({ shown }) => shown.range)} />
    <BothChart sides={sides} />
    <Against sides={sides} />
  </section>
);

/** Why a group has no days since its start to compare; null if it has some. */
function absenceOf(start: ShownRange | null): string | null {
  if (start === null)
    return "has no days since its start: it has not started, or ended before the figures that are kept.";
  return completeDays(start) === 0 ? "has no complete day yet." : null;
}

const SideLinks = ({ group, present, shown }: Side) =>
  present === null ? (
    <p class="warning">{TOO_MANY_FOR_GROUP}</p>
  ) : (
    <TopLinks
      title={`Top links: ${group.name}`}
      links={present.list.links}
      whole={present.list.whole}
      hrefOf={(link) => here.link(link, rangeParameters(shown))}
    />
  );

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
  const starts = groups.map((group) => sinceStart(group, shown));
  const common = commonDays(starts);
  const sides = await Promise.all(
    groups.map(async (group, index) => {
      const start = starts[index] ?? null;
      const equal = start && common > 0 ? firstDays(start, common) : null;
      const range = { dates: shown, start, equal }[since ?? "dates"];
      const report = range && { group, shown: range, ...(await readGroupFigures(ctx, group.id, range)) };
      return { group, report, absence: absenceOf(start) };
    }),
  );
  const [first] = groups;
  const reports = sides.flatMap(({ report }) => report ?? []);
  const kept = { with: other, ...rangeParameters(shown) };
  return c.render(
    <Page
      title="Compare two groups"
      section="groups"
      crumbs={["groups", { label: first?.name ?? "", href: href.group(workspace, id) }]}
      actions={groups.length === 2 && since === undefined && <RangePicker shown={shown} />}
      class="stack"
    >
      <form method="get" action={href.compareGroup(workspace, id)} class="search narrow">
        <HiddenFields fields={{ ...rangeParameters(shown), since }} />
        <Picker
          name="with"
          label={`Compare ${first?.name ?? ""} with`}
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
              isCurrent={since === "start"}
            >
              Each since its start
            </Choice>
            {!starts.includes(null) && (
              <Choice
                href={href.compareGroup(workspace, id, { ...kept, since: "equal" })}
                isCurrent={since === "equal"}
              >
                The first {common === 1 ? "day" : common === 0 ? "days" : `${number(common)} days`} of each
              </Choice>
            )}
          </ul>
          {reports.length === 2 && <Figures sides={reports} isByDate={since === undefined} />}
          <div class="columns even">
            {sides.map(({ group, report, absence }) =>
              report === null ? (
                absence !== null && (
                  <p class="warning">
                    <bdi>{group.name}</bdi> {absence}
                  </p>
                )
              ) : (
                <SideLinks {...report} />
              ),
            )}
          </div>
        </>
      )}
    </Page>,
  );
}
