import type { Child } from "hono/jsx";
import type { VisitReport } from "../../analytics/report";
import { MAX_VISITED_LINKS } from "../../analytics/report-limits";
import { keptFrom, type Range } from "../../lib/range";
import { thisPage } from "../shell/href";
import { currentPage } from "../shell/page-request";
import { Card, count, Empty, number } from "../shell/text";
import { zoneText } from "../shell/zone-text";
import { dayName, monthName, nameOfCompared } from "./dates";
import { OriginTabs } from "./origins";
import type { ShownRange } from "./range";
import { FIGURES, type Figure, figureValue, seriesOfFigure } from "./series";
import { Stat } from "./stat";
import { VisitChart } from "./visit-chart";

export const TOO_MANY_FOR_TAGS = `More than ${number(MAX_VISITED_LINKS)} links of the workspace were visited since this range began, so the figures of tags are not counted. Choose a later start.`;

export const TOO_MANY_FOR_GROUP = `More than ${number(MAX_VISITED_LINKS)} links of the group were visited since this range began, so its links and channels are not counted. Choose a later start.`;

const NAMES: Readonly<Record<Figure, { one: string; many: string; title: string }>> = {
  visits: { one: "visit", many: "visits", title: "Clicks and scans by people" },
  clicks: { one: "click", many: "clicks", title: "Clicks by people" },
  scans: { one: "scan", many: "scans", title: "Scans by people" },
  after_end: { one: "after the end", many: "after the end", title: "Visits after the end" },
};

/** The figure that a page of some figures shows. */
const figureOf = (figures: readonly Figure[], { figure }: ShownRange): Figure =>
  figures.includes(figure) ? figure : (figures[0] ?? "visits");

/** After the end of which link visits came. */
const afterEndOf = (isOfLink: boolean): string => `after ${isOfLink ? "its" : "a link’s"} end`;

interface Labelled {
  figures: readonly Figure[];
  isOfLink: boolean;
  /** Whether it is read by people who do not know the words of Waymark. */
  isShared: boolean;
}

const labelOf = (figure: Figure, value: number, { figures, isOfLink, isShared }: Labelled): string => {
  // An asset, which has no clicks, has an end of its own.
  if (figure === "after_end" && figures.includes("clicks")) {
    if (isShared) return value === 1 ? "visit to an ended link" : "visits to ended links";
    return afterEndOf(isOfLink);
  }
  return value === 1 ? NAMES[figure].one : NAMES[figure].many;
};

interface ReportProperties {
  report: VisitReport;
  shown: ShownRange;
  figures?: readonly Figure[];
  /** Whether all visits are of one link. */
  isOfLink?: boolean;
  /** Whether a link of the page may have an end. Without one, no visits after it are not worth a number. */
  mayEnd?: boolean | undefined;
  children?: Child;
}

/** Which days of ranges began by an earlier zone of the workspace. Visits keep their day. */
export const EarlierZones = ({ ranges }: { ranges: readonly Range[] }) => {
  const [zones = ""] = ranges.map((range) => range.zones);
  const earlier = typeof zones === "string" ? [] : zones.earlier;
  return earlier
    .map((one, index) => ({
      ...one,
      firstDay: (earlier[index - 1]?.lastDay ?? Number.NEGATIVE_INFINITY) + 1,
    }))
    .filter((one) =>
      ranges.some((range) => Math.max(one.firstDay, range.firstDay) <= Math.min(one.lastDay, range.lastDay)),
    )
    .map((one) => (
      <p class="hint">
        Days up to {dayName(one.lastDay)} began at midnight {zoneText(one.zone)}: the time zone was changed on
        that day.
      </p>
    ));
};

/** The numbers of a report as equal cards, which select what the chart draws. `children` are further `<Stat>`s. */
export const VisitStats = ({
  report,
  shown,
  figures = FIGURES,
  isOfLink = false,
  mayEnd = true,
  children,
}: ReportProperties) => {
  const { totals, earlier } = report;
  // Zero of everything says enough, without being compared.
  const before = FIGURES.some((figure) => hasVisits(report, figure)) ? report.before : null;
  const current = figureOf(figures, shown);
  const listed = figures.filter(
    (figure) =>
      figure !== "after_end" ||
      mayEnd ||
      figure === current ||
      totals.after_end + (report.before?.after_end ?? 0) > 0,
  );
  const kinds = (["clicks", "scans"] as const).filter((kind) => figures.includes(kind));
  const earlierVisits = kinds.map((kind) => count(earlier[kind], NAMES[kind].one)).join(" and ");
  return (
    <>
      <ul class="figures">
        {listed.map((figure) => {
          const value = figureValue(totals, figure);
          const stat = (
            <Stat
              value={value}
              label={labelOf(figure, value, { figures, isOfLink, isShared: !shown.choosesFigure })}
              before={before && figureValue(before, figure)}
              than={nameOfCompared(shown)}
            />
          );
          const kind = figure === "after_end" ? "after-end" : undefined;
          if (!shown.choosesFigure) return <li class={kind}>{stat}</li>;
          const to = thisPage({ figure: figure === "visits" ? undefined : figure });
          return (
            <li class={kind}>
              <a class="figure" href={to} aria-current={figure === current ? "true" : undefined}>
                {stat}
              </a>
            </li>
          );
        })}
      </ul>
      <div class="minor">
        {children}
        {totals.bots > 0 && <Stat value={totals.bots} label="by bots and previews" />}
      </div>
      {currentPage().var.ctx?.workspace.leavesOutOwnVisits === true && (
        <p class="soft">Visits from the company’s own networks are not counted.</p>
      )}
      {kinds.some((kind) => earlier[kind] > 0) && (
        <p class="soft">
          Before {monthName(keptFrom(shown.now))}: {earlierVisits}.
        </p>
      )}
      <EarlierZones ranges={[shown.range]} />
    </>
  );
};

/** Whether a chart of a report would show anything, also of the range before. */
export const hasVisits = ({ points, pointsBefore }: VisitReport, figure: Figure = "visits"): boolean =>
  [...points, ...(pointsBefore ?? [])].some((point) => figureValue(point, figure) > 0);

const noVisitsText = (
  names: string,
  afterEnd: number,
  { isUnvisited, isOfLink = false }: { isUnvisited: boolean; isOfLink?: boolean | undefined },
): string => {
  if (afterEnd > 0) return `No ${names}: all visits were ${afterEndOf(isOfLink)}.`;
  return isUnvisited ? `No ${names} yet. They show up here within a minute.` : `No ${names} in this range.`;
};

interface UnvisitedProperties extends ReportProperties {
  /** Whether there were no visits before or after the range either. */
  isUnvisited?: boolean;
}

/** A figure of a report over time. `children` say what to do next, where there were no visits. */
export const ReportChart = ({ report, shown, figures = FIGURES, ...unvisited }: UnvisitedProperties) => {
  const { points, pointsBefore, totals } = report;
  const { isUnvisited = shown.isWhole, isOfLink, children } = unvisited;
  const figure = figureOf(figures, shown);
  if (!hasVisits(report, figure)) {
    const names = figure === "visits" ? "clicks or scans" : NAMES[figure].many;
    return <Empty text={noVisitsText(names, totals.after_end, { isUnvisited, isOfLink })}>{children}</Empty>;
  }
  return (
    <VisitChart
      shown={shown}
      title={NAMES[figure].title}
      series={seriesOfFigure(points, figure)}
      before={pointsBefore?.map((point) => figureValue(point, figure)) ?? null}
    />
  );
};

export const FiguresCard = ({ children }: { children?: Child }) => (
  <Card id="figures" title="Clicks and scans" isUnseen>
    {children}
  </Card>
);

export const Figures = (properties: UnvisitedProperties) => {
  const { report, shown, isOfLink = false, mayEnd } = properties;
  return (
    <div class="stack">
      <VisitStats report={report} shown={shown} isOfLink={isOfLink} mayEnd={mayEnd} />
      <ReportChart {...properties} />
      {hasVisits(report) && <OriginTabs origins={report.origins} areLinks={shown.choosesFigure} />}
    </div>
  );
};
