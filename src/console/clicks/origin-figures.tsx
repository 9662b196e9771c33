import { z } from "zod";
import type { ChosenOrigin, OriginReport } from "../../analytics/origin-report";
import { MAX_REFERRERS, OTHER_REFERRERS } from "../../analytics/referrer";
import { UNKNOWN_LABELS } from "../../analytics/visit-buffer";
import { here, thisPage } from "../shell/href";
import { FilterChip } from "../shell/list-controls";
import { type PageContext, readQuery } from "../shell/page-request";
import { Card, count, Empty, words } from "../shell/text";
import { isUnfinished, nameOfBefore } from "./dates";
import { NO_ORIGIN, ORIGINS, OriginTabs, originParameters, PARAMETERS, TABS } from "./origins";
import { rangeParameters, type ShownRange } from "./range";
import { ShareTable } from "./shares";
import { Stat } from "./stat";
import { VisitChart } from "./visit-chart";
import { EarlierZones, FiguresCard, TOO_MANY_FOR_GROUP } from "./visit-figures";

// A page of figures that is filtered by one source, country or device.

const text = z.string().max(253).optional();
const query = z.object({ source: text, country: text, device: text });

/** The source, else the country, else the device in the address of a page. */
export function readChosenOrigin(c: PageContext): ChosenOrigin | undefined {
  const asked = readQuery(query, c);
  const origin = TABS.find((one) => asked[PARAMETERS[one]] !== undefined);
  const value = origin && asked[PARAMETERS[origin]];
  if (origin === undefined || value === undefined) return undefined;
  if (origin === "referrer" && value === OTHER_REFERRERS) return undefined;
  return { origin, value: value === UNKNOWN_LABELS[origin] ? "" : value };
}

/** A source, country or device in words: "Country Switzerland". */
export const nameOfOrigin = ({ origin, value }: ChosenOrigin): string =>
  `${words(PARAMETERS[origin])} ${ORIGINS[origin].label(value)}`;

export const OriginFigures = ({ report, shown: asked }: { report: OriginReport; shown: ShownRange }) => {
  const { chosen, visits, compared, points, links, whole, origins } = report;
  const shown = { ...asked, range: report.range };
  const parameter = PARAMETERS[chosen.origin];
  const label = ORIGINS[chosen.origin].label(chosen.value);
  const isEmpty = visits + (compared?.before ?? 0) === 0;
  const goesOn = !isEmpty && shown.compare && isUnfinished(shown);
  const than = nameOfBefore(shown.range);
  const mayBeOther = report.unnamed > 0;
  return (
    <>
      <FiguresCard>
        <div class="stack">
          <div class="filtered">
            <Stat
              value={visits}
              label={visits === 1 ? "visit" : "visits"}
              now={goesOn ? compared?.now : undefined}
              before={isEmpty ? null : (compared?.before ?? null)}
              than={than}
            />
            <ul class="chips" aria-label="Filters">
              <FilterChip name={words(parameter)} value={label} without={thisPage(NO_ORIGIN)} />
            </ul>
          </div>
          <EarlierZones ranges={[shown.range]} />
          {isEmpty ? (
            <Empty text={`No visits ${mayBeOther ? "by this name " : ""}in this range.`} />
          ) : (
            <VisitChart
              shown={shown}
              title={`Visits by people, ${parameter} ${label}`}
              series={[{ label: "Visits", noun: "visit", colour: 0, values: points }]}
              before={compared?.points ?? null}
              than={than}
            />
          )}
          <p class="hint">
            Only visits are counted by {parameter}: clicks, scans, channels and posters are not.
            {goesOn && " Today is not over, so it is not compared."}
          </p>
          {mayBeOther && (
            <p class="hint">
              Other has {count(report.unnamed, "visit")}, some of which may be from <bdi>{label}</bdi>: a day
              has at most {MAX_REFERRERS} sources by name.
            </p>
          )}
        </div>
      </FiguresCard>
      {links === null && <p class="warning">{TOO_MANY_FOR_GROUP}</p>}
      <div class="pair">
        {links !== null && links.length > 0 && (
          <section class="card">
            <ShareTable
              title="Top links"
              whole={whole}
              rows={links.map((link) => ({
                label: link.title ?? link.slug,
                value: link.visits,
                href: here.link(link.id, { ...rangeParameters(asked), ...originParameters(chosen) }),
              }))}
            />
          </section>
        )}
        <Card id="all-visits" title="All visits">
          <OriginTabs origins={origins} areLinks chosen={chosen} />
        </Card>
      </div>
    </>
  );
};
