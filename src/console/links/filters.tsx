import type { ActivityGroup } from "../../activity-groups/schema";
import type { Tag } from "../../tags/schema";
import { href } from "../href";
import { Field, type Options, Select } from "../shell/form";
import { isFiltered, type LinksList, toLinksQuery } from "./query";

const STATUSES: Options = [
  ["active", "Active"],
  ["archived", "Archived"],
  ["all", "Active and archived"],
];
const SORTS: Options = [
  ["-created_at", "Newest first"],
  ["created_at", "Oldest first"],
  ["-updated_at", "Last changed first"],
  ["updated_at", "Longest unchanged first"],
  ["slug", "By slug"],
  ["title", "By title"],
];
const HEALTH: Options = [["broken", "Broken destination"]];
const PAGE_SIZES: Options = [
  ["25", "25"],
  ["50", "50"],
  ["100", "100"],
];

/** The slug of the tag or group with this id or slug. */
const findSlug = (
  all: readonly { id: string; slug: string }[],
  name: string | undefined,
): string | undefined =>
  all.find(({ id, slug }) => name !== undefined && (id === name.toUpperCase() || slug === name))?.slug;

/** Whether anything but the search is set. */
const hasOptions = (query: LinksList): boolean => {
  const { q: _, page: __, after: ___, ...options } = toLinksQuery(query);
  return Object.values(options).some((value) => value !== undefined);
};

export const LinkFilters = ({
  workspace,
  query,
  tags,
  groups,
  channels,
  hasHealth,
}: {
  workspace: string;
  query: LinksList;
  tags: readonly Tag[];
  groups: readonly ActivityGroup[];
  channels: readonly string[];
  /** Whether destinations are asked. */
  hasHealth: boolean;
}) => {
  const [tag, ...moreTags] = query.tag ?? [];
  return (
    <form class="card" method="get" action={href.links(workspace)} aria-label="Links">
      <div class="search">
        <Field
          type="search"
          label="Search"
          name="q"
          value={query.q}
          attributes={{ maxlength: 255, placeholder: "Slug, title or destination" }}
        />
        <button type="submit">Show</button>
      </div>
      <details open={hasOptions(query)}>
        <summary>Filter and order</summary>
        <div class="filters">
          <Select
            label="Tag"
            name="tag"
            none="Any tag"
            value={findSlug(tags, tag)}
            options={tags.map(({ slug, name }) => [slug, name] as const)}
          />
          <Select
            label="Activity Group"
            name="activity_group_id"
            none="Any group"
            value={findSlug(groups, query.activity_group_id)}
            options={groups.map(({ slug, name }) => [slug, name] as const)}
          />
          <Field
            label="Channel"
            name="channel"
            value={query.channel}
            attributes={{ list: "channels", maxlength: 120 }}
          />
          <Field
            label="External ID begins with"
            name="external_id_prefix"
            value={query.external_id_prefix}
            attributes={{ maxlength: 255 }}
          />
          <Select label="Status" name="status" value={query.status} options={STATUSES} />
          {hasHealth && (
            <Select label="Destination" name="health" none="Any" value={query.health} options={HEALTH} />
          )}
          <Select label="Order" name="sort" value={query.sort} options={SORTS} />
          <Select label="Links a page" name="per_page" value={String(query.per_page)} options={PAGE_SIZES} />
        </div>
      </details>
      <datalist id="channels">
        {channels.map((channel) => (
          <option value={channel} />
        ))}
      </datalist>
      {moreTags.map((one) => (
        <input type="hidden" name="tag" value={one} />
      ))}
      {(["slug", "external_id"] as const).flatMap((name) =>
        (query[name] ?? []).map((value) => <input type="hidden" name={name} value={value} />),
      )}
      {isFiltered(query) && (
        <p>
          <a href={href.links(workspace)}>Clear the filters</a>
        </p>
      )}
    </form>
  );
};
