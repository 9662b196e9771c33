import { z } from "zod";
import type { ChosenOrigin, OriginReport } from "../../analytics/origin-report";
import { OTHER_REFERRERS } from "../../analytics/referrer";
import { UNKNOWN_LABELS } from "../../analytics/visit-buffer";
import { nameOf } from "../links/link-text";
import { here, thisPage } from "../shell/href";
import { FilterChip } from "../shell/list-controls";
import { type PageContext, readQuery } from "../shell/page-request";
import { count, Empty, words } from "../shell/text";
import { isUnfinished, nameOfBefore } from "./dates";
import { NO_ORIGIN, ORIGINS, originLinks, originParameters, TABS } from "./origins";
import { rangeParameters, type ShownRange } from "./range";
import { Shares, ShareTable } from "./shares";
import { Stat } from "./stat";
import { EarlierZones, FiguresCard, TOO_MANY_FOR_GROUP, VisitChart } from "./visit-figures";

// A page of figures that is filtered by one source, country or device.

const text = z.string().max(253).optional();
const query = z.object({ source: text, country: text, device: text });

/** The source, else the country, else the device in the address of a page. */
export function readChosenOrigin(c: PageContext): ChosenOrigin | undefined {
  const asked = readQuery(query, c);
  const [origin] = TABS.filter((one) => asked[ORIGINS[one].parameter] !== undefined);
  if (origin === undefined) return undefined;
  const value = asked[ORIGINS[origin].parameter] ?? "";
  if (origin === "referrer" && value === OTHER_REFERRERS) return undefined;
  return { origin, value: value === UNKNOWN_LABELS[origin] ? "" : value };
}

/** What cannot be said of the visits of an origin, and why. */
const Notes = ({ report, shown, label }: { report: OriginReport; shown: ShownRange; label: string }) => {
  const { chosen, unnamed } = report;
  const { parameter } = ORIGINS[chosen.origin];
  return (
    <>
      <p class="hint">
        Of a {parameter} only the visits of each day are counted, so the other figures of this page are not
        shown.
        {shown.compare && isUnfinished(shown) && " Today is not over, so it is not compared."}
      </p>
      {chosen.origin === "referrer" && chosen.value !== "" && unnamed > 0 && (
        <p class="hint">
          A day has at most 100 sources by name. {count(unnamed, "visit")} of others{" "}
          {unnamed === 1 ? "is" : "are"} under Other, and some may be from <bdi>{label}</bdi>.
        </p>
      )}
    </>
  );
};

export const OriginFigures = ({ report, shown: asked }: { report: OriginReport; shown: ShownRange }) => {
  const { chosen, visits, compared, points, pointsBefore, links, groups } = report;
  const shown = { ...asked, range: report.range };
  const { parameter, many, label: labelOf } = ORIGINS[chosen.origin];
  const label = labelOf(chosen.value);
  const before = nameOfBefore(shown.range);
  const than = isUnfinished(shown) ? `${before}, without today` : before;
  const parameters = { ...rangeParameters(asked), ...originParameters(chosen) };
  const isNamed = chosen.origin !== "referrer" || chosen.value === "" || report.unnamed === 0;
  /** Beside links and groups there is no room for it. */
  const isBelow = groups !== null && groups.length > 0;
  const breakdown = (
    <section class="card">
      <Shares
        title={`${many} of all visits`}
        values={originLinks(report.origins, chosen.origin).map((one) => ({
          ...one,
          isChosen: one.label === label,
        }))}
      />
    </section>
  );
  return (
    <>
      <FiguresCard>
        <div class="stack">
          <ul class="chips" aria-label="Filters">
            <FilterChip name={words(parameter)} value={label} without={thisPage(NO_ORIGIN)} />
          </ul>
          <ul class="figures">
            <li>
              <Stat
                value={visits}
                label={visits === 1 ? "visit" : "visits"}
                compared={compared?.now}
                before={compared?.before ?? null}
                than={than}
              />
            </li>
          </ul>
          <EarlierZones range={shown.range} />
          {visits === 0 && (compared?.before ?? 0) === 0 ? (
            <Empty text={isNamed ? "No visits in this range." : "No visits by this name in this range."} />
          ) : (
            <VisitChart
              shown={shown}
              title={`Clicks and scans by people, ${parameter} ${label}`}
              series={[{ label: "Visits", noun: "visit", colour: 0, values: points }]}
              before={pointsBefore}
              than={than}
            />
          )}
          <Notes report={report} shown={shown} label={label} />
        </div>
      </FiguresCard>
      {links === null && <p class="warning">{TOO_MANY_FOR_GROUP}</p>}
      <div class="pair">
        {links !== null && links.length > 0 && (
          <section class="card">
            <ShareTable
              title="Top links"
              whole={groups === null ? (links[0]?.whole ?? 0) : visits}
              rows={links.map((link) => ({
                label: nameOf({ slug: link.name, title: link.title }),
                value: link.visits,
                href: here.link(link.id, parameters),
              }))}
            />
          </section>
        )}
        {groups !== null && groups.length > 0 && (
          <section class="card">
            <ShareTable
              title="Top groups"
              whole={visits}
              rows={groups.map((group) => ({
                label: group.name,
                value: group.visits,
                href: here.group(group.id, parameters),
              }))}
            />
          </section>
        )}
        {!isBelow && breakdown}
      </div>
      {isBelow && breakdown}
    </>
  );
};
