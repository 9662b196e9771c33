import type { VisitReport } from "../../analytics/report";
import { NO_RULE, type Rule, ruleKey } from "../../lib/rules";
import type { Link } from "../../resources/links/schema";
import { ShareTable } from "../clicks/shares";
import { here } from "../shell/href";
import { Card, number } from "../shell/text";
import { Conditions } from "./rules";

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
  const expected = (all * share) / 100;
  const isChance = Math.abs(visits - expected) <= chanceOf(all, share);
  return (
    <p class="hint">
      {number(visits)} of {number(all)} visits took the share of {share} of 100, and {number(all - visits)}{" "}
      did not.{" "}
      {isChance
        ? "The difference from the share is too small to mean anything: chance alone makes it."
        : "That is further from the share than chance makes it. The share or the rules may have changed in this time."}
    </p>
  );
};

/** The visits of a link by rule. Nothing for a link that has no rules and no visits by any. */
export const RuleVisits = ({ link, report }: { link: Link; report: VisitReport }) => {
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
  const rows = [
    ...rules.map(({ rule, visits }, index) => ({
      label: `${index + 1}. ${rule.destination_url}`,
      value: visits,
    })),
    { label: `Everybody else: ${link.destination_url}`, value: others },
    ...(previous > 0 ? [{ label: "Rules that the link had before", value: previous }] : []),
  ];
  return (
    <Card id="by-rule" title={<a href={here.linkRules(link.id)}>Rules</a>}>
      <ol>
        {rules.map(({ rule }) => (
          <li>
            <Conditions rule={rule} />
          </li>
        ))}
      </ol>
      <ShareTable title="Clicks and scans by rule" of="Visits" rows={rows} whole={all} />
      {rules.map(({ rule, visits }, index) => {
        const reached =
          visits + rules.slice(index + 1).reduce((sum, later) => sum + later.visits, 0) + others;
        return <ShareOfRule rule={rule} visits={visits} all={reached} />;
      })}
    </Card>
  );
};
