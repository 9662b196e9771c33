import { fold } from "../../lib/slug-text";
import type { ListAssets } from "../../resources/engagement/asset-schema";
import { ASSET_STATUSES } from "../../resources/engagement/asset-status";
import { type AssetCounts, UNSCANNED_DAYS } from "../../resources/engagement/list-assets";
import { Choice } from "../shell/button";
import { here } from "../shell/href";
import { SearchField } from "../shell/list-controls";
import { FindField, Picker } from "../shell/picker";
import { HiddenFields, type Options, Select } from "../shell/post-form";
import { number, words } from "../shell/text";

/** What the list of assets is limited to and ordered by. */
export type Filter = Omit<ListAssets, "page"> & {
  /** An id, slug, short URL or code. */
  link: string | undefined;
};

const SORTS: Options = [
  ["name", "By name"],
  ["place", "By place"],
  ["newest", "Newest first"],
];

const DEFAULT_SORT = "name";

/** The fields that find and order assets. */
export const FindForm = ({
  filter: { status, link, q, place, group, sort: given, unscanned, ended, after_end },
  shownLink,
  places,
}: {
  filter: Filter;
  /** The slug of the link that the list is limited to. */
  shownLink: string | undefined;
  places: readonly string[];
}) => {
  const sort = given ?? (after_end === undefined ? DEFAULT_SORT : "newest");
  return (
    <form method="get" action={here.assets()} class="search" aria-label="Assets">
      <HiddenFields fields={{ status, group, unscanned, ended, after_end }} />
      <SearchField label="Name or place" value={q} />
      <button type="submit">Search</button>
      <details
        class="panel"
        open={[link, place].some((value) => value !== undefined) || (given ?? DEFAULT_SORT) !== DEFAULT_SORT}
      >
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

/** A link for each status with the number of assets, and for those without a scan and after the end. */
export const StatusFilter = ({ filter, counts }: { filter: Filter; counts: AssetCounts }) => {
  const { status: chosen, unscanned, ended, after_end: afterEnd, ...others } = filter;
  const all = ASSET_STATUSES.reduce((sum, status) => sum + (counts[status] ?? 0), 0);
  const choices = [
    [undefined, "All", all] as const,
    ...ASSET_STATUSES.map((status) => [status, words(status), counts[status] ?? 0] as const),
  ];
  return (
    <nav aria-label="By status">
      <ul class="choices">
        {[unscanned, ended, afterEnd].every((one) => one === undefined) ? (
          choices.map(([status, label, assets]) => (
            <Choice href={here.assets({ ...others, status })} isCurrent={status === chosen}>
              {label} ({number(assets)})
            </Choice>
          ))
        ) : (
          <Choice href={here.assets(others)} isCurrent={false}>
            Show all
          </Choice>
        )}
        <Choice href={here.assets({ unscanned: "1" })} isCurrent={unscanned !== undefined}>
          Live without a scan in {UNSCANNED_DAYS} days
        </Choice>
        <Choice href={here.assets({ ended: "1" })} isCurrent={ended !== undefined}>
          Live after the end
        </Choice>
        <Choice href={here.assets({ after_end: "1" })} isCurrent={afterEnd !== undefined}>
          Scanned after the end
        </Choice>
      </ul>
    </nav>
  );
};
