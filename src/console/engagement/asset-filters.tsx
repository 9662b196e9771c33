import { fold } from "../../lib/slug-text";
import type { ListAssets } from "../../resources/engagement/asset-schema";
import { ASSET_STATUSES } from "../../resources/engagement/asset-status";
import { type AssetCounts, UNSCANNED_DAYS } from "../../resources/engagement/list-assets";
import { sum } from "../clicks/series";
import { Choice } from "../shell/button";
import { here } from "../shell/href";
import { SearchField } from "../shell/list-controls";
import { FindField, Picker } from "../shell/picker";
import { HiddenFields, type Options, Select } from "../shell/post-form";
import { number, words } from "../shell/text";

export type Filter = Omit<ListAssets, "page"> & {
  link: string | undefined;
};

const SORTS: Options = [
  ["name", "By name"],
  ["place", "By place"],
  ["newest", "Newest first"],
];

const SPECIAL = [
  ["unscanned", `Live without a scan in ${UNSCANNED_DAYS} days`],
  ["ended", "Live after the end"],
  ["after_end", "Scanned after the end"],
] as const;

interface FindProperties {
  filter: Filter;
  shownLink: string | undefined;
  places: readonly string[];
}

export const FindForm = ({ filter, shownLink, places }: FindProperties) => {
  const { status, link, q, place, group, sort: given, unscanned, ended, after_end } = filter;
  const sort = given ?? (after_end === undefined ? "name" : "newest");
  return (
    <form method="get" action={here.assets()} class="search" aria-label="Posters">
      <HiddenFields fields={{ status, group, unscanned, ended, after_end }} />
      <SearchField label="Name or place" value={q} />
      <button type="submit">Search</button>
      <details class="panel" open={(link ?? place) !== undefined || (given ?? "name") !== "name"}>
        <summary class="button">Filter and order</summary>
        <div class="filters">
          <FindField label="Link or code" name="link" type="search" value={shownLink ?? link} />
          {(places.length > 0 || place !== undefined) && (
            <Picker
              label="Place"
              name="place"
              none="Any place"
              value={places.find((one) => fold(one) === fold(place ?? "")) ?? place}
              options={places.map((one) => [one, one] as const)}
            />
          )}
          <Select label="Order" name="sort" value={sort} options={SORTS} />
        </div>
      </details>
    </form>
  );
};

export const StatusFilter = ({ filter, counts }: { filter: Filter; counts: AssetCounts }) => {
  const { status: chosen, unscanned, ended, after_end, ...others } = filter;
  const countOf = (status: (typeof ASSET_STATUSES)[number]) => counts[status] ?? 0;
  return (
    <nav aria-label="By status">
      <ul class="choices">
        {(unscanned ?? ended ?? after_end) === undefined ? (
          [undefined, ...ASSET_STATUSES].map((status) => (
            <Choice href={here.assets({ ...others, status })} isCurrent={status === chosen}>
              {words(status ?? "all")} (
              {number(status === undefined ? sum(ASSET_STATUSES.map(countOf)) : countOf(status))})
            </Choice>
          ))
        ) : (
          <Choice href={here.assets(others)} isCurrent={false}>
            Show all
          </Choice>
        )}
        {SPECIAL.map(([name, label]) => (
          <Choice href={here.assets({ [name]: "1" })} isCurrent={filter[name] !== undefined}>
            {label}
          </Choice>
        ))}
      </ul>
    </nav>
  );
};
