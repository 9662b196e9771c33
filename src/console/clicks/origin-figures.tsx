import { z } from "zod";
import type { ChosenOrigin, OriginReport } from "../../analytics/origin-report";
import { MAX_REFERRERS, OTHER_REFERRERS } from "../../analytics/referrer";
import { UNKNOWN_LABELS } from "../../analytics/visit-buffer";
import { here, thisPage } from "../shell/href";
import { FilterChip } from "../shell/list-controls";
import { type PageContext, readQuery } from "../shell/page-request";
import { count, Empty, words } from "../shell/text";
import { isUnfinished, nameOfBefore } from "./dates";
import { NO_ORIGIN, ORIGINS, originParameters, originShares, PARAMETERS, TABS } from "./origins";
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
  const origin = TABS.find((one) => asked[PARAMETERS[one]] !== undefined);
  const value = origin && asked[PARAMETERS[origin]];
  if (origin === undefined || value === undefined) return undefined;
  if (origin === "referrer" && value === OTHER_REFERRERS) return undefined;
  return { origin, value: value === UNKNOWN_LABELS[origin] ? "" : value };
}

export const OriginFigures = ({ report, shown: asked }: { report: OriginReport; shown: ShownRange }) => {
  const { chosen, visits, compared, points, links, whole, origins } = report;
  const shown = { ...asked, range: report.range };
  const parameter = PARAMETERS[chosen.origin];
  const label = ORIGINS[chosen.origin].label(chosen.value);
  const goesOn = shown.compare && isUnfinished(shown);
  const than = nameOfBefore(shown.range);
  const mayBeOther = chosen.origin === "referrer" && chosen.value !== "" && report.unnamed > 0;
  return (
    <>
      <FiguresCard>
        <div class="stack">
          <ul class="chips" aria-label="Filters">
            <FilterChip name={words(parameter)} value={label} without={thisPage(NO_ORIGIN)} />
          </ul>
          <Stat
            value={visits}
            label={visits === 1 ? "visit" : "visits"}
            now={goesOn ? compared?.now : undefined}
            before={compared?.before ?? null}
            than={than}
          />
          <EarlierZones range={shown.range} />
          {visits + (compared?.before ?? 0) === 0 ? (
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
            Of a {parameter} only the visits of each day are counted, so the other figures of this page are
            not shown.{goesOn && " Today is not over, so it is not compared."}
          </p>
          {mayBeOther && (
            <p class="hint">
              A day has at most {MAX_REFERRERS} sources by name. {count(report.unnamed, "visit")} of others
              are under Other, and some may be from <bdi>{label}</bdi>.
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
        <section class="card">
          <Shares
            title={`${ORIGINS[chosen.origin].many} of all visits`}
            values={originShares(origins, chosen.origin, true)}
          />
        </section>
      </div>
    </>
  );
};
