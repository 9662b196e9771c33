import { reportOrigin } from "../../analytics/origin-report";
import { listAssetScans, reportVisits, type VisitReport } from "../../analytics/report";
import { visitsOf } from "../../analytics/time-series";
import { NO_RULE, type Rule, ruleKey } from "../../lib/visitor-rules";
import { listAudit } from "../../resources/audit/audit-service";
import type { LinkDetails } from "../../resources/links/link-details";
import type { Link } from "../../resources/links/link-schema";
import { readChosenOrigin } from "../clicks/origin-figures";
import { readRangeOf, type ShownRange } from "../clicks/range";
import { ShareTable } from "../clicks/shares";
import { Figures } from "../clicks/visit-figures";
import { here } from "../shell/href";
import type { PageContext } from "../shell/page-request";
import { Table } from "../shell/table";
import { Badge, Card, count, NameLink, number, Time } from "../shell/text";
import { CopyButton } from "./link-text";
import { Conditions } from "./rules-page";

const MAX_SHOWN = 10;

/** The assets that a link is on, with their scans in the range; nothing for a link without assets. */
const LinkAssets = ({ link, assets }: { link: string; assets: Own[1] }) => {
  if (assets.length === 0) return null;
  const hasAfterEnd = assets.some(({ after_end }) => after_end > 0);
  return (
    <Card id="assets" title="Posters">
      <Table
        caption="Posters with their scans in this time"
        rows={assets.slice(0, MAX_SHOWN)}
        columns={[
          {
            heading: "Poster",
            isName: true,
            cell: ({ id, name }) => <NameLink to={here.asset(id)} name={name} />,
          },
          { heading: "Place", cell: ({ place }) => place !== null && <bdi>{place}</bdi> },
          { heading: "Status", cell: ({ status }) => <Badge of={status} /> },
          { heading: "Scans", kind: "number", cell: ({ scans }) => number(scans) },
          hasAfterEnd && {
            heading: "After the end",
            kind: "number",
            cell: ({ after_end }) => number(after_end),
          },
        ]}
      />
      {assets.length > MAX_SHOWN && (
        <p class="soft">
          The {MAX_SHOWN} most scanned ones of {number(assets.length)}.
        </p>
      )}
      <p>
        <a href={here.assets({ link })}>All posters of this link</a>
      </p>
    </Card>
  );
};

/** How far a share may be from what was drawn by chance alone: twice the standard deviation, in visits. */
const chanceOf = (visits: number, share: number): number =>
  2 * Math.sqrt((visits * share * (100 - share)) / 10_000);

/**
 * How the visits that came to a rule were divided by its share. Nothing for a rule with other conditions, since it is not
 * counted how many of the visits met these.
 */
const ShareOfRule = ({ rule, visits, all }: { rule: Rule; visits: number; all: number }) => {
  const { share, destination_url: _, ...others } = rule;
  if (share === null || all === 0 || Object.values(others).some((condition) => condition !== null))
    return null;
  const difference = Math.abs(visits - (all * share) / 100);
  return (
    <p class="hint">
      {number(visits)} of {number(all)} visits went to the rule with a share of {share}%.
      {difference >= 1 &&
        (difference <= chanceOf(all, share)
          ? " A difference of this size is normal."
          : " This differs from the share by more than chance explains. The share or the rules may have changed in this time.")}
    </p>
  );
};

/** The visits of a link by rule. Nothing for a link that has no rules and no visits by any. */
const RuleVisits = ({ link, report }: { link: Link; report: VisitReport }) => {
  const counted = new Map(report.origins.rule.map(({ value, visits }) => [value, visits]));
  const sum = () => [...counted.values()].reduce((all, visits) => all + visits, 0);
  const all = sum();
  if (link.rules.length === 0 && all === 0) return null;
  // Each count is shown once, also if two rules have the same content.
  const take = (key: string): number => {
    const visits = counted.get(key) ?? 0;
    counted.delete(key);
    return visits;
  };
  const rules = link.rules.map((rule) => ({ rule, visits: take(ruleKey(rule)) }));
  const others = take(NO_RULE);
  const previous = sum();
  const without = visitsOf(report.totals) - all;
  const rows = [
    ...rules.map(({ rule, visits }, index) => ({
      label: `${index + 1}. ${rule.destination_url}`,
      value: visits,
    })),
    { label: `Everybody else: ${link.destination_url}`, value: others },
    ...(previous > 0 ? [{ label: "Rules that the link had before", value: previous }] : []),
    ...(without > 0 ? [{ label: "While the link had no rules", value: without }] : []),
  ];
  return (
    <Card id="by-rule" title={<a href={here.linkRules(link.id)}>Rules</a>}>
      <ol>
        {rules.map(({ rule }, index) => (
          <li>
            <Conditions rule={rule} isFirst={index === 0} />
          </li>
        ))}
      </ol>
      <ShareTable title="Clicks and scans by rule" rows={rows} whole={visitsOf(report.totals)} />
      {rules.map(({ rule, visits }, index) => {
        const reached =
          visits + rules.slice(index + 1).reduce((sum, later) => sum + later.visits, 0) + others;
        return <ShareOfRule rule={rule} visits={visits} all={reached} />;
      })}
    </Card>
  );
};

/** What is known since the link was created, whatever the range. */
const VisitTotals = ({
  visitTotals: { clicks, scans, last_visit_at: last },
}: Pick<LinkDetails, "visitTotals">) => (
  <p class="small soft">
    In all <strong>{count(clicks, "click")}</strong> and <strong>{count(scans, "scan")}</strong>
    {last !== null && (
      <>
        , the last one on <Time at={last} exact />
      </>
    )}
    .
  </p>
);

/** The visits of a link, or those of an origin, and its last changes. */
export async function readHistory(c: PageContext, id: string) {
  const { ctx, isEditor } = c.var;
  const shown = readRangeOf(c, id);
  const { range, compare } = shown;
  const chosen = readChosenOrigin(c);
  const readOwn = () =>
    Promise.all([reportVisits(ctx, { link: id }, range, { compare }), listAssetScans(ctx, id, range)]);
  const [own, ofOrigin, { entries }] = await Promise.all([
    chosen ? null : readOwn(),
    chosen && reportOrigin(ctx, { link: id }, range, chosen, shown),
    listAudit(ctx, { subject: id }, isEditor),
  ]);
  return { shown, own, ofOrigin, entries };
}

type Own = NonNullable<Awaited<ReturnType<typeof readHistory>>["own"]>;

/** The visits of a link in a range, and of its assets. */
export const LinkVisits = ({
  details,
  shown,
  own,
}: {
  details: LinkDetails;
  shown: ShownRange;
  own: Own;
}) => {
  const [report, assets] = own;
  const { link, visitTotals, clicksBefore, activeWindow, taken_down_by: takenDownBy } = details;
  const isUnvisited = visitTotals.clicks + visitTotals.scans === 0;
  const canShare = link.status === "active" && takenDownBy === null && activeWindow.windowState === "open";
  return (
    <>
      <Card id="visits" title="Clicks and scans" isUnseen>
        <Figures
          report={report}
          shown={shown}
          isOfLink
          isUnvisited={isUnvisited}
          mayEnd={activeWindow.ends_at !== null}
        >
          {isUnvisited && canShare && (
            <p>
              Share the short link or its QR code. <CopyButton text={link.short_url} />
            </p>
          )}
        </Figures>
        {!isUnvisited && <VisitTotals visitTotals={visitTotals} />}
        {clicksBefore !== null && (
          <p class="small soft">
            <strong>{count(clicksBefore, "click")}</strong> before the move, by the file of its import. No
            other number has them.
          </p>
        )}
      </Card>
      <RuleVisits link={link} report={report} />
      <LinkAssets link={link.id} assets={assets} />
    </>
  );
};
